/** Who is at the other end of a connection, in the words of a cure. */
export interface Peer {
  address: string;
  operator: string;
}

export const theService: Peer = { address: 'the base URL', operator: 'the operator of the service' };
export const theProxy: Peer = {
  address: 'the address of the proxy (HTTPS_PROXY)',
  operator: 'the operator of the proxy',
};

/** Why a connection could not be used. */
export interface Cause {
  reason: string;
  /** What the user can do, without a full stop. */
  cure(peer: Peer): string;
}

const clientCertificateAlerts = [
  ...['ALERT_CERTIFICATE_REQUIRED', 'ALERT_NO_CERTIFICATE', 'ALERT_BAD_CERTIFICATE', 'ALERT_UNKNOWN_CA'],
  ...['ALERT_UNSUPPORTED_CERTIFICATE', 'ALERT_CERTIFICATE_REVOKED', 'ALERT_CERTIFICATE_EXPIRED'],
  'ALERT_CERTIFICATE_UNKNOWN',
];

export const otherCure = ({ address, operator }: Peer) =>
  `Check ${address}; if it is right, tell ${operator}`;

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

export function causeOfTlsError(tlsCode: string): Cause {
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

/** The code of an error of OpenSSL, such as `ERR_SSL_WRONG_VERSION_NUMBER`. */
export function tlsCodeOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_SSL_')) return code;
  // Node reports an error that a write finds as EPROTO, and has OpenSSL's only in the text.
  const [, mark, , library, , reason] = typeof message === 'string' ? message.split(':', 6) : [];
  if (mark !== 'error' || library !== 'SSL routines' || reason === undefined) return undefined;
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** Whether this alert is only sent for a client certificate, or for the lack of one. */
export function isClientCertificateAlert(error: unknown): boolean {
  const tlsCode = tlsCodeOf(error);
  return tlsCode !== undefined && clientCertificateAlerts.includes(tlsNameOf(tlsCode));
}
