/** The path of all operations (interface section 1). */
export const basePath = '/api/v1/merchant/orders';

export function ordersUrl(baseUrl: URL): URL {
  return new URL(baseUrl.pathname.replace(/\/+$/, '') + basePath, baseUrl);
}

/** 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
