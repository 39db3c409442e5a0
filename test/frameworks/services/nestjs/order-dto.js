// The payloads, as class-validator describes them. Decorators are applied by hand, since Node.js does not know them.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsDateString,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

/** Applies decorators to properties of a class. */
function decorate(target, properties) {
  for (const [name, decorators] of Object.entries(properties)) {
    for (const decorator of decorators) decorator(target.prototype, name);
  }
}

const amount = [IsOptional(), Matches(/^\d{1,12}(\.\d\d)?$/)];

class Customer {}
decorate(Customer, { phone: [IsString()], externalCustomerId: [IsOptional(), IsString()] });

class Line {}
decorate(Line, { sku: [IsOptional(), IsString()], quantity: [IsOptional(), IsInt(), Min(1)] });

export class CreateOrder {}
decorate(CreateOrder, {
  externalOrderId: [IsString(), IsNotEmpty()],
  customer: [ValidateNested(), Type(() => Customer)],
  items: [ArrayNotEmpty(), ValidateNested({ each: true }), Type(() => Line)],
  collectionMode: [IsIn(['NONE', 'COLLECT'])],
  collectionAmount: amount,
  total: amount,
  requestedDeliveryDate: [IsOptional(), IsDateString()],
});

export class CancelOrder {}
decorate(CancelOrder, { reason: [IsString(), IsNotEmpty()] });

export class ListOrders {
  page = 1;
  pageSize = 20;
}
decorate(ListOrders, {
  page: [Type(() => Number), IsInt(), Min(1)],
  pageSize: [Type(() => Number), IsInt(), Min(1), Max(50)],
  externalOrderId: [IsOptional(), IsString()],
  orderNumber: [IsOptional(), IsString()],
  status: [IsOptional(), IsIn(['CONFIRMED', 'CANCELLED'])],
  customerPhone: [IsOptional(), IsString()],
  createdFrom: [IsOptional(), IsISO8601({ strict: true })],
  createdTo: [IsOptional(), IsISO8601({ strict: true })],
});
