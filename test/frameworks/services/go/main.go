// Merchant orders on net/http and encoding/json, in memory, with plain-text errors from http.Error.
//
// A repeated Idempotency-Key gets the stored order with 200 and without a flag. An empty list is a nil slice: null.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Customer struct {
	Phone              string `json:"phone"`
	Name               string `json:"name"`
	ExternalCustomerId string `json:"externalCustomerId"`
}

type Line struct {
	Sku       string `json:"sku"`
	Name      string `json:"name"`
	Quantity  *int   `json:"quantity"`
	UnitPrice string `json:"unitPrice"`
}

type Address struct {
	City     string `json:"city"`
	District string `json:"district"`
	Street   string `json:"street"`
	Note     string `json:"note"`
}

type NewOrder struct {
	ExternalOrderId       string   `json:"externalOrderId"`
	Customer              Customer `json:"customer"`
	Items                 []Line   `json:"items"`
	CollectionMode        string   `json:"collectionMode"`
	CollectionAmount      string   `json:"collectionAmount"`
	Total                 string   `json:"total"`
	RequestedDeliveryDate string   `json:"requestedDeliveryDate"`
	DeliveryAddress       Address  `json:"deliveryAddress"`
}

type Order struct {
	Id          string `json:"id"`
	OrderNumber string `json:"orderNumber"`
	NewOrder
	Status       string    `json:"status"`
	CancelReason string    `json:"cancelReason"`
	CreatedAt    time.Time `json:"createdAt"`
	Delivery     *struct{} `json:"delivery"`

	payload json.RawMessage
}

const (
	base        = "/api/v1/merchant/orders"
	maxPageSize = 50
)

var catalogue = map[string]bool{"TEA-001": true, "TEA-002": true, "MUG-001": true, "OLD-1": false}

type service struct {
	sync.Mutex
	orders  []*Order
	byKey   map[string]*Order
	creates int
}

func (s *service) create(w http.ResponseWriter, r *http.Request) {
	s.creates++
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		http.Error(w, "missing Idempotency-Key", http.StatusBadRequest)
		return
	}
	if order := s.byKey[key]; order != nil {
		writeJSON(w, http.StatusOK, order)
		return
	}
	var payload json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&payload); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	order := &Order{Id: newUUID(), Status: "CONFIRMED", CreatedAt: time.Now(), payload: payload}
	if err := json.Unmarshal(payload, &order.NewOrder); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := check(&order.NewOrder); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if s.find(func(o *Order) bool { return o.ExternalOrderId == order.ExternalOrderId }) != nil {
		http.Error(w, "order "+order.ExternalOrderId+" already exists", http.StatusConflict)
		return
	}
	s.orders = append(s.orders, order)
	s.byKey[key] = order
	order.OrderNumber = fmt.Sprintf("ORD-%d-%06d", order.CreatedAt.Year(), len(s.orders))
	writeJSON(w, http.StatusCreated, order)
}

func check(order *NewOrder) error {
	switch {
	case order.ExternalOrderId == "":
		return fmt.Errorf("externalOrderId is required")
	case order.Customer.Phone == "":
		return fmt.Errorf("customer.phone is required")
	case len(order.Items) == 0:
		return fmt.Errorf("items must not be empty")
	case order.CollectionMode != "NONE" && order.CollectionMode != "COLLECT":
		return fmt.Errorf("collectionMode must be NONE or COLLECT, not %q", order.CollectionMode)
	case order.CollectionMode == "NONE" && strings.Trim(order.CollectionAmount, "0.") != "":
		return fmt.Errorf("MERCHANT_API_INVALID_ORDER: collectionAmount without COLLECT")
	}
	for i, line := range order.Items {
		if line.Quantity != nil && *line.Quantity < 1 {
			return fmt.Errorf("items[%d].quantity must be at least 1", i)
		}
		active, known := catalogue[line.Sku]
		if line.Sku != "" && !known {
			return fmt.Errorf("PRODUCT_SKU_NOT_FOUND: %s", line.Sku)
		}
		if known && !active {
			return fmt.Errorf("PRODUCT_SKU_INACTIVE: %s", line.Sku)
		}
	}
	return nil
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	from, err := queryTime(query.Get("createdFrom"), time.Time{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	to, err := queryTime(query.Get("createdTo"), time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	is := func(name, value string) bool { return query.Get(name) == "" || query.Get(name) == value }
	phone := digits(query.Get("customerPhone"))
	var found []*Order
	for _, o := range s.orders {
		isMatch := is("externalOrderId", o.ExternalOrderId) && is("orderNumber", o.OrderNumber) &&
			is("status", o.Status) && (phone == "" || phone == digits(o.Customer.Phone)) &&
			!o.CreatedAt.Before(from) && !o.CreatedAt.After(to)
		if isMatch {
			found = append([]*Order{o}, found...)
		}
	}
	page, size := queryInt(query.Get("page"), 1), queryInt(query.Get("pageSize"), 20)
	if size > maxPageSize {
		size = maxPageSize
	}
	var shown []*Order
	for i := (page - 1) * size; i < page*size && i < len(found); i++ {
		shown = append(shown, found[i])
	}
	writeJSON(w, http.StatusOK, map[string]any{"orders": shown, "total": len(found)})
}

func (s *service) cancel(w http.ResponseWriter, r *http.Request, order *Order) {
	var body struct {
		Reason string `json:"reason"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if order.Status == "CANCELED" {
		http.Error(w, "order is already canceled", http.StatusConflict)
		return
	}
	order.Status, order.CancelReason = "CANCELED", body.Reason
	writeJSON(w, http.StatusOK, order)
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+os.Getenv("API_KEY") {
		http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
		return
	}
	id, action, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, base+"/"), "/")
	order := s.find(func(o *Order) bool { return o.Id == id })
	switch {
	case r.URL.Path == base && r.Method == http.MethodPost:
		s.create(w, r)
	case r.URL.Path == base && r.Method == http.MethodGet:
		s.list(w, r)
	case order == nil:
		http.NotFound(w, r)
	case action == "" && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, order)
	case action == "cancel" && r.Method == http.MethodPost:
		s.cancel(w, r, order)
	default:
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	}
}

func (s *service) readStore(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	orders := []map[string]any{}
	for _, o := range s.orders {
		orders = append(orders, map[string]any{
			"id": o.Id, "externalOrderId": o.ExternalOrderId, "status": o.Status, "body": o.payload,
		})
	}
	writeJSON(w, http.StatusOK, map[string]any{"orders": orders, "creates": s.creates})
}

func (s *service) find(isMatch func(*Order) bool) *Order {
	for _, o := range s.orders {
		if isMatch(o) {
			return o
		}
	}
	return nil
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func queryTime(text string, preset time.Time) (time.Time, error) {
	if text == "" {
		return preset, nil
	}
	return time.Parse(time.RFC3339, text)
}

func queryInt(text string, preset int) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return preset
}

func digits(phone string) string {
	found := ""
	for _, r := range phone {
		if r >= '0' && r <= '9' {
			found += string(r)
		}
	}
	if len(found) > 8 {
		return found[len(found)-8:]
	}
	return found
}

func newUUID() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func main() {
	s := &service{byKey: map[string]*Order{}}
	http.Handle(base, s)
	http.Handle(base+"/", s)
	http.HandleFunc("/_store", s.readStore)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
