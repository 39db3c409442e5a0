// Orders on NestJS: 201 for a create and for a cancellation, keys are ignored and a taken ID is a ConflictException, errors
// as {"statusCode", "message", "error"}, pages of at most 50 under "items", and more than that is an error.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CancelOrder, CreateOrder, ListOrders } from './order-dto.js';

const { PORT, API_KEY } = process.env;
const products = { 'TEA-001': 'active', 'MUG-001': 'active', 'OLD-1': 'inactive' };
const orders = [];
let creates = 0;

class KeyGuard {
  canActivate(context) {
    const { authorization } = context.switchToHttp().getRequest().headers;
    if (authorization !== `Bearer ${API_KEY}`) throw new UnauthorizedException();
    return true;
  }
}

class OrdersController {
  create(body) {
    creates += 1;
    for (const { sku } of body.items) {
      if (sku === undefined || products[sku] === 'active') continue;
      const code = products[sku] === 'inactive' ? 'PRODUCT_SKU_INACTIVE' : 'PRODUCT_SKU_NOT_FOUND';
      throw new UnprocessableEntityException(code);
    }
    if (orders.some(({ externalOrderId }) => externalOrderId === body.externalOrderId)) {
      throw new ConflictException('An order with this externalOrderId already exists');
    }
    const order = {
      id: randomUUID(),
      orderNumber: `ORD-2026-${String(orders.length + 1).padStart(6, '0')}`,
      externalOrderId: body.externalOrderId,
      status: 'CONFIRMED',
      createdAt: new Date(),
      body,
    };
    orders.unshift(order);
    return toJson(order);
  }

  list({ page, pageSize, externalOrderId, orderNumber, status, customerPhone, createdFrom, createdTo }) {
    const found = orders.filter(
      (order) =>
        (!externalOrderId || order.externalOrderId === externalOrderId) &&
        (!orderNumber || order.orderNumber === orderNumber) &&
        (!status || order.status === status) &&
        (!customerPhone || order.body.customer.phone === customerPhone) &&
        (!createdFrom || order.createdAt >= new Date(createdFrom)) &&
        (!createdTo || order.createdAt <= new Date(createdTo)),
    );
    const items = found.slice((page - 1) * pageSize, page * pageSize).map(toJson);
    return { items, total: found.length };
  }

  get(id) {
    return toJson(find(id));
  }

  cancel(id, { reason }) {
    const order = find(id);
    if (order.status === 'CANCELLED') throw new ConflictException('The order is already cancelled');
    return toJson(Object.assign(order, { status: 'CANCELLED', reason }));
  }
}

class StoreController {
  get() {
    return {
      orders: orders.map(({ id, externalOrderId, status, body }) => ({ id, externalOrderId, status, body })),
      creates,
    };
  }
}

function find(id) {
  const order = orders.find((order) => order.id === id);
  if (order === undefined) throw new NotFoundException(`Order ${id} not found`);
  return order;
}

function toJson({ body, ...order }) {
  return { ...body, ...order };
}

/** What TypeScript writes for a decorated method: its decorators, and the classes of its parameters. */
function decorateMethod(controller, name, decorator, parameters) {
  const { prototype } = controller;
  decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  for (const [index, [decorateParameter]] of parameters.entries()) decorateParameter(prototype, name, index);
  const types = parameters.map(([, type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
}

const orderId = [Param('id', ParseUUIDPipe), String];
decorateMethod(OrdersController, 'create', Post(), [[Body(), CreateOrder]]);
decorateMethod(OrdersController, 'list', Get(), [[Query(), ListOrders]]);
decorateMethod(OrdersController, 'get', Get(':id'), [orderId]);
decorateMethod(OrdersController, 'cancel', Post(':id/cancel'), [orderId, [Body(), CancelOrder]]);
UseGuards(KeyGuard)(OrdersController);
Controller('api/v1/merchant/orders')(OrdersController);
decorateMethod(StoreController, 'get', Get(), []);
Controller('_store')(StoreController);

class AppModule {}
Module({ controllers: [OrdersController, StoreController] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(PORT), '127.0.0.1');
