"""Merchant orders on Django REST Framework, in one file, with the responses that it writes by default.

Served by Django's own threaded server (runserver). The Idempotency-Key is ignored; only the external order ID is
unique, first by a validator and then by the database, so two requests at once can end in a 500 page.
"""

import os
import re
import tempfile
import uuid

import django
from django.conf import settings

settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="for tests only",
    USE_TZ=True,
    TIME_ZONE="Asia/Ulaanbaatar",
    INSTALLED_APPS=["rest_framework"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ.get("STORE") or os.path.join(tempfile.mkdtemp(), "orders.db"),
            "OPTIONS": {"timeout": 30},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.management import execute_from_command_line  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.shortcuts import get_object_or_404  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import authentication, exceptions, pagination, permissions, serializers, views  # noqa: E402
from rest_framework.response import Response  # noqa: E402

CATALOGUE = {"TEA-001": True, "TEA-002": True, "MUG-001": True, "OLD-1": False}


class Order(models.Model):
    sequence = models.AutoField(primary_key=True)
    id = models.UUIDField(default=uuid.uuid4, unique=True)
    externalOrderId = models.CharField("externalOrderId", max_length=64, unique=True)
    phone = models.CharField(max_length=20)
    status = models.CharField(max_length=20, default="confirmed")
    reason = models.TextField(default="")
    createdAt = models.DateTimeField(auto_now_add=True)
    payload = models.JSONField()

    class Meta:
        app_label = "orders"


class Post(models.Model):
    class Meta:
        app_label = "orders"


class Shop:
    is_authenticated = True


class KeyAuthentication(authentication.TokenAuthentication):
    keyword = "Bearer"

    def authenticate_credentials(self, key):
        if key != os.environ["API_KEY"]:
            raise exceptions.AuthenticationFailed("Invalid token.")
        return Shop(), key


def money():
    return serializers.DecimalField(max_digits=12, decimal_places=2, required=False)


class CustomerSerializer(serializers.Serializer):
    phone = serializers.CharField(max_length=20)
    name = serializers.CharField(required=False)
    externalCustomerId = serializers.CharField(required=False)


class LineSerializer(serializers.Serializer):
    sku = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    quantity = serializers.IntegerField(required=False, min_value=1)
    unitPrice = money()


class AddressSerializer(serializers.Serializer):
    city = serializers.CharField(required=False)
    district = serializers.CharField(required=False)
    street = serializers.CharField(required=False)
    note = serializers.CharField(required=False)


class OrderSerializer(serializers.ModelSerializer):
    customer = CustomerSerializer()
    items = LineSerializer(many=True, allow_empty=False)
    collectionMode = serializers.ChoiceField(["NONE", "COLLECT"])
    collectionAmount = money()
    total = money()
    requestedDeliveryDate = serializers.DateField(required=False)
    deliveryAddress = AddressSerializer(required=False)

    class Meta:
        model = Order
        fields = ["externalOrderId", "customer", "items", "collectionMode", "collectionAmount", "total"]
        fields += ["requestedDeliveryDate", "deliveryAddress"]

    def validate_items(self, lines):
        errors = [self.sku_errors(line.get("sku")) for line in lines]
        if any(errors):
            raise UnprocessableEntity({"items": errors})
        return lines

    def sku_errors(self, sku):
        if sku is None or CATALOGUE.get(sku):
            return {}
        return {"sku": ["PRODUCT_SKU_INACTIVE" if sku in CATALOGUE else "PRODUCT_SKU_NOT_FOUND"]}

    def validate(self, order):
        if order["collectionMode"] == "NONE" and order.get("collectionAmount"):
            raise UnprocessableEntity({"non_field_errors": ["MERCHANT_API_INVALID_ORDER"]})
        return order


class FilterSerializer(serializers.Serializer):
    externalOrderId = serializers.CharField(required=False)
    orderNumber = serializers.RegexField(r"^ORD-\d{4}-\d+$", required=False)
    status = serializers.ChoiceField(["confirmed", "cancelled"], required=False)
    customerPhone = serializers.CharField(required=False)
    createdFrom = serializers.DateField(required=False)
    createdTo = serializers.DateField(required=False)


class CancelSerializer(serializers.Serializer):
    reason = serializers.CharField()


class UnprocessableEntity(exceptions.APIException):
    status_code = 422


class Pages(pagination.PageNumberPagination):
    page_size = 20


class ShopView(views.APIView):
    authentication_classes = [KeyAuthentication]
    permission_classes = [permissions.IsAuthenticated]


class OrdersView(ShopView):
    def get(self, request):
        query = FilterSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = Order.objects.order_by("-sequence")
        columns = {
            "externalOrderId": ("externalOrderId", str),
            "orderNumber": ("sequence", lambda number: int(number.split("-")[-1])),
            "status": ("status", str),
            "customerPhone": ("phone", digits),
            "createdFrom": ("createdAt__date__gte", lambda day: day),
            "createdTo": ("createdAt__date__lte", lambda day: day),
        }
        for name, value in query.validated_data.items():
            column, read = columns[name]
            found = found.filter(**{column: read(value)})
        pages = Pages()
        rows = pages.paginate_queryset(found, request)
        return pages.get_paginated_response([view(row) for row in rows])

    def post(self, request):
        Post.objects.create()
        serializer = OrderSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        order = Order.objects.create(
            externalOrderId=serializer.validated_data["externalOrderId"],
            phone=digits(serializer.validated_data["customer"]["phone"]),
            payload=request.data,
        )
        return Response(view(order), status=201)


class OrderView(ShopView):
    def get(self, request, id):
        return Response(view(get_object_or_404(Order, id=id)))


class CancelView(ShopView):
    def post(self, request, id):
        order = get_object_or_404(Order, id=id)
        serializer = CancelSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        if order.status == "cancelled":
            raise exceptions.ValidationError("Order cannot be cancelled.")
        order.status, order.reason = "cancelled", serializer.validated_data["reason"]
        order.save()
        return Response(view(order))


def view(order):
    """The fields of the order as the serializers write them: money with two digits."""
    fields = OrderSerializer.Meta.fields
    parsed = {"externalOrderId": order.externalOrderId}
    parsed.update({name: order.payload[name] for name in fields if name in order.payload})
    return {
        "id": order.id,
        "orderNumber": f"ORD-{order.createdAt.year}-{order.sequence:06d}",
        **OrderSerializer(parsed).data,
        "status": order.status,
        "reason": order.reason,
        "createdAt": serializers.DateTimeField().to_representation(order.createdAt),
        "delivery": None,
    }


def read_store(request):
    orders = [
        {
            "id": str(order.id),
            "externalOrderId": order.externalOrderId,
            "status": order.status,
            "body": order.payload,
        }
        for order in Order.objects.order_by("sequence")
    ]
    return JsonResponse({"orders": orders, "creates": Post.objects.count()})


def digits(phone):
    return re.sub(r"\D", "", phone)[-8:]


base = "api/v1/merchant/orders"
urlpatterns = [
    path(base, OrdersView.as_view()),
    path(base + "/<uuid:id>", OrderView.as_view()),
    path(base + "/<uuid:id>/cancel", CancelView.as_view()),
    path("_store", read_store),
]

if __name__ == "__main__":
    known = connection.introspection.table_names()
    with connection.schema_editor() as editor:
        for model in [Order, Post]:
            if model._meta.db_table not in known:
                editor.create_model(model)
    address = "127.0.0.1:" + os.environ["PORT"]
    execute_from_command_line(["service", "runserver", "--noreload", address])
