export interface Product {
  sku: string;
  name?: string | undefined;
  active: boolean;
}

/** A product and where in the file it stands, such as `line 3`. */
export interface PlacedProduct {
  product: Product;
  place: string;
}
