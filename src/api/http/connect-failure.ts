import type { PeerCertificate } from 'node:tls';

/** The connection could not be used, and nothing was sent. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** Without a full stop; undefined if the base URL or the network may be at fault. */
  readonly cure: string | undefined;
  readonly isCertificate: boolean;

  constructor(reason: string, cure?: string, isCertificate = false) {
    super(reason);
    this.cure = cure;
    this.isCertificate = isCertificate;
  }

  static from(error: unknown, peer: Peer = theService): ConnectFailure {
    if (error instanceof ConnectFailure) return error;
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
    if (code === undefined && errors?.[0] !== undefined) return ConnectFailure.from(errors[0], peer);
    const tlsCode = tlsCodeOf(error);
    if (tlsCode !== undefined) {
      const { reason, cure } = causeOfTlsError(tlsCode);
      return new ConnectFailure(reason, cure(peer));
    }
    if (code === undefined) return new ConnectFailure(message || 'the connection failed');
    const local = localCauses[code];
    if (local !== undefined) return new LocalFailure(`${local.reason} (${code})`, local.cure);
    return new ConnectFailure(connectReasons[code] ?? `the connection failed (${code})`);
  }
}

/** This computer is at fault, not the service or the network. */
export class LocalFailure extends ConnectFailure {}

const freeMemory = 'Close other programs, or allow this one more memory (ulimit -v unlimited)';

const localCauses: Record<string, { reason: string; cure: string }> = {
  EMFILE: {
    reason: 'this program has too many files open',
    cure: 'Allow it more (ulimit -n 4096), or lower --concurrency of an import',
  },
  ENFILE: { reason: 'all programs together have too many files open', cure: 'Close other programs' },
  ENOMEM: { reason: 'there is not enough memory', cure: freeMemory },
  ENOBUFS: { reason: 'there is not enough memory for another connection', cure: freeMemory },
  EAI_MEMORY: { reason: 'there is not enough memory', cure: freeMemory },
  EADDRNOTAVAIL: {
    reason: 'it has no free port or no address to connect from',
    cure: 'Check the base URL and the network settings of this computer, and close programs that open many connections',
  },
};

/** undici reads responses in WebAssembly, for which V8 reserves gigabytes of addresses. */
export function outOfMemory(): LocalFailure {
  return new LocalFailure(
    'there is not enough memory for WebAssembly',
    `${freeMemory}, or set NODE_OPTIONS=--disable-wasm-trap-handler`,
  );
}

const connectReasons: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the connection was closed before it could be used',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EACCES: 'this computer does not allow the connection',
  EPERM: 'this computer does not allow the connection',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  HPE_INVALID_CONSTANT: 'the response was not valid HTTP/1.1',
};

const trustCure = ({ address, operator }: Peer) =>
  `Check ${address}; if it is right, ask ${operator} or your network administrator for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS`;
const clockCure = ({ operator }: Peer) =>
  `Check the date and the time of this computer; if they are right, tell ${operator}`;
const hostCure = ({ address, operator }: Peer) =>
  `Check the host name in ${address}; if it is right, tell ${operator}`;
const untrusted: Cause = { reason: 'the authority that signed it is not trusted here', cure: trustCure };

const certificateCauses: Record<string, Cause> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'it is self-signed', cure: trustCure },
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: 'a self-signed authority in its chain is not trusted here',
    cure: trustCure,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: { reason: 'it has expired', cure: clockCure },
  CERT_NOT_YET_VALID: { reason: 'it is not valid yet', cure: clockCure },
  CERT_REVOKED: {
    reason: 'it was revoked',
    cure: ({ operator }) => `Do not use this address until ${operator} has replaced the certificate`,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'it is for another host', cure: hostCure },
};

/** `code`: of OpenSSL or Node. */
export function certificateFailure(
  host: string,
  code: string,
  certificate: PeerCertificate | undefined,
  peer: Peer,
): ConnectFailure {
  const { reason, cure } = certificateCauses[code] ?? { reason: 'it could not be verified', cure: otherCure };
  const why = `the certificate of ${host} was not accepted: ${reason} (${code})`;
  const details = certificate?.subject === undefined ? '' : `; ${describeCertificate(certificate, code)}`;
  return new ConnectFailure(why + details, cure(peer), true);
}

function describeCertificate(certificate: PeerCertificate, code: string): string {
  const { subject, issuer, subjectaltname, valid_from: validFrom, valid_to: validTo } = certificate;
  const hosts = subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '');
  return [
    `subject ${nameOf(subject)}`,
    `issuer ${nameOf(issuer)}`,
    ...(hosts === undefined ? [] : [`for ${hosts}`]),
    code === 'CERT_NOT_YET_VALID' ? `valid from ${validFrom}` : `valid until ${validTo}`,
  ].join(', ');
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  return [name?.CN ?? name?.O ?? 'unnamed'].flat().join(', ');
}

export interface Peer {
  address: string;
  operator: string;
}

export const theService: Peer = { address: 'the base URL', operator: 'the operator of the service' };
export const theProxy: Peer = {
  address: 'the address of the proxy (HTTPS_PROXY)',
  operator: 'the operator of the proxy',
};

interface Cause {
  reason: string;
  cure(peer: Peer): string;
}

const clientCertificateAlerts = [
  ...['ALERT_CERTIFICATE_REQUIRED', 'ALERT_NO_CERTIFICATE', 'ALERT_BAD_CERTIFICATE', 'ALERT_UNKNOWN_CA'],
  ...['ALERT_UNSUPPORTED_CERTIFICATE', 'ALERT_CERTIFICATE_REVOKED', 'ALERT_CERTIFICATE_EXPIRED'],
  'ALERT_CERTIFICATE_UNKNOWN',
];

const otherCure = ({ address, operator }: Peer) => `Check ${address}; if it is right, tell ${operator}`;

/** By the code of OpenSSL without `ERR_SSL_` and the version of TLS, which differ between versions of Node. */
const tlsCauses: readonly (Cause & { names: readonly string[] })[] = [
  {
    names: ['WRONG_VERSION_NUMBER', 'PACKET_LENGTH_TOO_LONG', 'DATA_LENGTH_TOO_LONG', 'BAD_RECORD_TYPE'],
    reason: 'this address does not speak https',
    cure: ({ address }) => `Check the host name and the port in ${address}`,
  },
  {
    names: ['ALERT_PROTOCOL_VERSION', 'UNSUPPORTED_PROTOCOL', 'UNSAFE_LEGACY_RENEGOTIATION_DISABLED'],
    reason: 'it supports only outdated versions of TLS',
    cure: ({ operator }) => `Ask ${operator} to turn on TLS 1.2 or newer`,
  },
  {
    names: ['ALERT_HANDSHAKE_FAILURE', 'ALERT_INSUFFICIENT_SECURITY'],
    reason: 'it has no encryption in common with this program, or requires a client certificate',
    cure: ({ address, operator }) => `Check ${address}; if it is right, ask ${operator}`,
  },
  {
    names: clientCertificateAlerts,
    reason: 'it requires a client certificate, which this program cannot send',
    cure: ({ operator }) => `Ask ${operator} for an address that requires no client certificate`,
  },
  {
    names: ['UNRECOGNIZED_NAME'],
    reason: 'it does not know this host name',
    cure: ({ address }) => `Check the host name in ${address}`,
  },
];

function causeOfTlsError(tlsCode: string): Cause {
  const name = tlsNameOf(tlsCode);
  return (
    tlsCauses.find(({ names }) => names.includes(name)) ?? {
      reason: `the secure connection could not be set up (${tlsCode})`,
      cure: otherCure,
    }
  );
}

function tlsNameOf(tlsCode: string): string {
  return tlsCode.replace(/^ERR_SSL_/, '').replace(/^(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_/, '');
}

export function tlsCodeOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_SSL_')) return code;
  // Node reports a TLS error during a write as EPROTO, with OpenSSL's code only in the message.
  const [, mark, , library, , reason] = typeof message === 'string' ? message.split(':', 6) : [];
  if (mark !== 'error' || library !== 'SSL routines' || reason === undefined) return undefined;
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** Alerts that are only sent about a client certificate. */
export function isClientCertificateAlert(error: unknown): boolean {
  const tlsCode = tlsCodeOf(error);
  return tlsCode !== undefined && clientCertificateAlerts.includes(tlsNameOf(tlsCode));
}
