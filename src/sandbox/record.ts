export type RequestRecord = ReturnType<typeof createRecord>;

/** What this process saw of the requests to the API, those that were turned down included. */
export function createRecord() {
  let requests = 0;
  return {
    requestArrived(): void {
      requests += 1;
    },
    requestCount: (): number => requests,
  };
}
