const reasons: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing answers at that address',
  ECONNRESET: 'the connection was closed before it could be used',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'connecting took too long',
};

/** There is no connection, so nothing was sent. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** The certificate was not accepted: trying again would not help. */
  readonly isCertificate: boolean;

  constructor(reason: string, isCertificate = false) {
    super(reason);
    this.isCertificate = isCertificate;
  }

  /** An error of a socket, in words; of one that tried several addresses, the first. */
  static from(error: unknown, place = ''): ConnectFailure {
    if (error instanceof ConnectFailure) return error;
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
    if (code === undefined && errors?.[0] !== undefined) return ConnectFailure.from(errors[0], place);
    return new ConnectFailure(place + (reasons[code ?? ''] ?? (message || 'the connection failed')));
  }
}
