"""Merchant orders on FastAPI: Pydantic models, HTTPException and SQLite, with the responses that FastAPI writes by default.

The Idempotency-Key is required and then ignored; only the external order ID is unique.
"""

import json
import os
import re
import sqlite3
import tempfile
import uuid
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import List, Optional

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Field

STORE = os.environ.get("STORE") or os.path.join(tempfile.mkdtemp(), "orders.db")
CATALOGUE = {"TEA-001": True, "TEA-002": True, "MUG-001": True, "OLD-1": False}


class CollectionMode(str, Enum):
    NONE = "NONE"
    COLLECT = "COLLECT"


class Customer(BaseModel):
    phone: str = Field(min_length=6, max_length=20)
    name: Optional[str]
    externalCustomerId: Optional[str]


class Line(BaseModel):
    sku: Optional[str]
    name: Optional[str]
    quantity: int = Field(1, ge=1)
    unitPrice: Optional[Decimal]


class Address(BaseModel):
    city: Optional[str]
    district: Optional[str]
    street: Optional[str]
    note: Optional[str]


class NewOrder(BaseModel):
    externalOrderId: str = Field(max_length=64)
    customer: Customer
    items: List[Line] = Field(min_items=1)
    collectionMode: CollectionMode
    collectionAmount: Optional[Decimal]
    total: Optional[Decimal]
    requestedDeliveryDate: Optional[date]
    deliveryAddress: Optional[Address]


class Order(NewOrder):
    id: uuid.UUID
    orderNumber: str
    status: str
    cancelReason: Optional[str]
    createdAt: datetime
    delivery: Optional[dict]


class Page(BaseModel):
    items: List[Order]
    total: int
    page: int
    size: int


class Cancellation(BaseModel):
    reason: str = Field(min_length=1)


def open_store():
    connection = sqlite3.connect(STORE, timeout=30, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


with open_store() as connection:
    connection.executescript(
        """
        CREATE TABLE IF NOT EXISTS orders (
            sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, externalOrderId TEXT UNIQUE, phone TEXT,
            status TEXT, cancelReason TEXT, createdAt TEXT, payload TEXT
        );
        CREATE TABLE IF NOT EXISTS posts (id INTEGER PRIMARY KEY);
        """
    )


def store():
    connection = open_store()
    try:
        yield connection
    finally:
        connection.close()


def check_key(credentials: HTTPAuthorizationCredentials = Depends(HTTPBearer())):
    if credentials.credentials != os.environ["API_KEY"]:
        raise HTTPException(status_code=401, detail="Invalid API key")


async def read_body(request: Request):
    return await request.body()


app = FastAPI()
orders = "/api/v1/merchant/orders"
key = [Depends(check_key)]


@app.post(orders, response_model=Order, status_code=201, dependencies=key)
def create_order(
    new: NewOrder, idempotency_key: str = Header(), db=Depends(store), raw: bytes = Depends(read_body)
):
    db.execute("INSERT INTO posts DEFAULT VALUES")
    if new.collectionMode == CollectionMode.NONE and new.collectionAmount:
        raise_code("MERCHANT_API_INVALID_ORDER", "A prepaid order has no collectionAmount")
    for sku in [line.sku for line in new.items if line.sku is not None]:
        if sku not in CATALOGUE:
            raise_code("PRODUCT_SKU_NOT_FOUND", f"Unknown SKU {sku}")
        if not CATALOGUE[sku]:
            raise_code("PRODUCT_SKU_INACTIVE", f"SKU {sku} is inactive")
    row = (str(uuid.uuid4()), new.externalOrderId, digits(new.customer.phone), now(), raw.decode())
    try:
        db.execute(
            "INSERT INTO orders (id, externalOrderId, phone, status, createdAt, payload) "
            "VALUES (?, ?, ?, 'CONFIRMED', ?, ?)",
            row,
        )
    except sqlite3.IntegrityError:
        raise HTTPException(status_code=409, detail=f"Order {new.externalOrderId} already exists")
    return find(db, row[0])


@app.get(orders, response_model=Page, dependencies=key)
def list_orders(
    externalOrderId: Optional[str] = None,
    orderNumber: Optional[str] = None,
    status: Optional[str] = None,
    customerPhone: Optional[str] = None,
    createdFrom: Optional[datetime] = None,
    createdTo: Optional[datetime] = None,
    page: int = Query(1, ge=1),
    pageSize: int = Query(50, ge=1, le=100),
    db=Depends(store),
):
    conditions = {
        "externalOrderId = ?": externalOrderId,
        "sequence = ?": orderNumber and orderNumber.split("-")[-1].lstrip("0"),
        "status = ?": status,
        "phone = ?": customerPhone and digits(customerPhone),
        "createdAt >= ?": createdFrom and createdFrom.astimezone(timezone.utc).isoformat(),
        "createdAt <= ?": createdTo and createdTo.astimezone(timezone.utc).isoformat(),
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = " WHERE " + " AND ".join(given) if given else ""
    values = list(given.values())
    total = db.execute("SELECT count(*) FROM orders" + where, values).fetchone()[0]
    rows = db.execute(
        f"SELECT * FROM orders{where} ORDER BY sequence LIMIT ? OFFSET ?",
        [*values, pageSize, (page - 1) * pageSize],
    )
    return {"items": [view(row) for row in rows], "total": total, "page": page, "size": pageSize}


@app.get(orders + "/{order_id}", response_model=Order, dependencies=key)
def get_order(order_id: uuid.UUID, db=Depends(store)):
    return find(db, str(order_id))


@app.post(orders + "/{order_id}/cancel", response_model=Order, dependencies=key)
def cancel_order(order_id: uuid.UUID, body: Cancellation, db=Depends(store)):
    if find(db, str(order_id))["status"] == "CANCELLED":
        raise HTTPException(status_code=409, detail="Order is already cancelled")
    db.execute(
        "UPDATE orders SET status = 'CANCELLED', cancelReason = ? WHERE id = ?", [body.reason, str(order_id)]
    )
    return find(db, str(order_id))


@app.get("/_store")
def read_store(db=Depends(store)):
    rows = db.execute("SELECT * FROM orders ORDER BY sequence").fetchall()
    known = [
        {
            "id": row["id"],
            "externalOrderId": row["externalOrderId"],
            "status": row["status"],
            "body": json.loads(row["payload"]),
        }
        for row in rows
    ]
    return {"orders": known, "creates": db.execute("SELECT count(*) FROM posts").fetchone()[0]}


def find(db, order_id):
    row = db.execute("SELECT * FROM orders WHERE id = ?", [order_id]).fetchone()
    if row is None:
        raise HTTPException(status_code=404, detail="Order not found")
    return view(row)


def view(row):
    number = f"ORD-{row['createdAt'][:4]}-{row['sequence']:06d}"
    columns = {name: row[name] for name in ["id", "status", "cancelReason", "createdAt"]}
    return {**json.loads(row["payload"]), **columns, "orderNumber": number}


def raise_code(code, message):
    raise HTTPException(status_code=422, detail={"code": code, "message": message})


def digits(phone):
    return re.sub(r"\D", "", phone)[-8:]


def now():
    return datetime.now(timezone.utc).isoformat()


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
