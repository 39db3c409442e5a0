/** The client of the project: sends an order again when there was no response, or when it is asked to wait. */
export async function placeOrder({ baseUrl, apiKey }, externalOrderId, { now = Date.now, wait } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(`${baseUrl}/api/v1/merchant/orders`, apiKey, externalOrderId).catch(
      () => undefined,
    );
    if (response !== undefined && response.status !== 429) return response;
    if (attempt === 3) throw new Error('no response');
    const seconds = Number(response?.headers.get('retry-after') ?? 0);
    await wait?.(now() + seconds * 1000);
  }
}

function send(url, apiKey, externalOrderId) {
  // biome-ignore lint/style/noRestrictedGlobals: as the suite of a user does
  return fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': externalOrderId,
    },
    body: JSON.stringify({
      externalOrderId,
      customer: { phone: '99112233' },
      items: [{ sku: 'TEA-001' }],
      collectionMode: 'NONE',
    }),
  });
}
