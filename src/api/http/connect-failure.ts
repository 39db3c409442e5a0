import type { PeerCertificate } from 'node:tls';
import { advice, type Text, t } from '../../advice/advice.ts';
import { findResourceCause } from '../../errors.ts';
import { RequestError } from './response-reader.ts';

/** The connection could not be used, and nothing was sent. */
export class ConnectFailure extends RequestError {
  override readonly name = 'ConnectFailure';
  /** Without a full stop; undefined if the base URL or the network may be at fault. */
  readonly cure: Text | undefined;
  readonly isCertificate: boolean;

  constructor(reason: Text, cure?: Text, isCertificate = false) {
    super(reason);
    this.cure = cure;
    this.isCertificate = isCertificate;
  }

  static from(error: unknown, peer: Peer = 'service'): ConnectFailure {
    if (error instanceof ConnectFailure) return error;
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
    if (code === undefined && errors?.[0] !== undefined) return ConnectFailure.from(errors[0], peer);
    const tlsCode = tlsCodeOf(error);
    if (tlsCode !== undefined) {
      const [reason, cure] = causeOfTlsError(tlsCode);
      return new ConnectFailure(reason, cure(addresses[peer]));
    }
    if (code === undefined) return new ConnectFailure(message || t`the connection failed`);
    const local = code === noPort.code ? noPort : findResourceCause(error);
    if (local !== undefined) return new LocalFailure(advice`${local.reason} (${local.code})`, local.cure);
    return new ConnectFailure(connectReasons[code] ?? t`the connection failed (${code})`);
  }
}

/** This computer is at fault, not the service or the network. */
export class LocalFailure extends ConnectFailure {}

const noPort = {
  code: 'EADDRNOTAVAIL',
  reason: t`it has no free port or no address to connect from`,
  cure: t`Check the base URL and the network settings of this computer, and close programs that open many connections`,
};

/** undici reads responses in WebAssembly, for which V8 reserves gigabytes of addresses. */
export function outOfMemory(): LocalFailure {
  return new LocalFailure(
    t`there is not enough memory for WebAssembly`,
    t`Close other programs, or allow this one more memory (ulimit -v unlimited), or set NODE_OPTIONS=--disable-wasm-trap-handler`,
  );
}

const notAllowed = t`this computer does not allow the connection`;
const tooLong = t`connecting took too long`;

const connectReasons: Record<string, Text> = {
  ENOTFOUND: t`the host name is not known`,
  EAI_AGAIN: t`the host name could not be looked up`,
  ECONNREFUSED: t`nothing listens at that address`,
  ECONNRESET: t`the connection was closed before it could be used`,
  EHOSTUNREACH: t`the host cannot be reached`,
  ENETUNREACH: t`the network cannot be reached`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  ETIMEDOUT: tooLong,
  UND_ERR_CONNECT_TIMEOUT: tooLong,
  HPE_INVALID_CONSTANT: t`the response was not valid HTTP/1.1`,
};

/** Whose address a cure names. */
type Peer = keyof typeof addresses;

const addresses = {
  service: t`the base URL`,
  proxy: t`the address of the proxy (HTTPS_PROXY)`,
};

type Cure = (address: Text) => Text;
type Cause = readonly [reason: Text, cure: Cure];

const check: Cure = (address) => t`Check ${address}; if it is right, tell the operator of the server`;
const trust: Cure = (address) =>
  t`Check ${address}; if it is right, ask the operator of the server or your network administrator for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS`;
const checkClock: Cure = () =>
  t`Check the date and the time of this computer; if they are right, tell the operator of the server`;

const untrusted: Cause = [t`the authority that signed it is not trusted here`, trust];

const certificateCauses: Record<string, Cause> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: [t`it is self-signed`, trust],
  SELF_SIGNED_CERT_IN_CHAIN: [t`a self-signed authority in its chain is not trusted here`, trust],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: [t`it has expired`, checkClock],
  CERT_NOT_YET_VALID: [t`it is not valid yet`, checkClock],
  CERT_REVOKED: [
    t`it was revoked`,
    () => t`Do not use this address until the operator of the server has replaced the certificate`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [t`it is for another host`, check],
};

/** `code`: of OpenSSL or Node. */
export function certificateFailure(
  host: string,
  code: string,
  certificate: PeerCertificate | undefined,
  peer: Peer,
): ConnectFailure {
  const [reason, cure] = certificateCauses[code] ?? [t`it could not be verified`, check];
  const why = t`the certificate of ${host} was not accepted: ${reason} (${code})`;
  const isKnown = certificate?.subject !== undefined;
  const sentence = isKnown ? t`${why}; ${describeCertificate(certificate)}` : why;
  return new ConnectFailure(sentence, cure(addresses[peer]), true);
}

function describeCertificate({ subject, issuer, ...certificate }: PeerCertificate): Text {
  const { subjectaltname = '-', valid_from: from, valid_to: until } = certificate;
  const hosts = subjectaltname.replaceAll(/\b(?:DNS|IP Address):/g, '');
  return t`subject ${holderName(subject)}, issuer ${holderName(issuer)}, for ${hosts}, valid from ${from} until ${until}`;
}

function holderName(name: PeerCertificate['subject'] | undefined): string {
  return [name?.CN ?? name?.O ?? 'unnamed'].flat().join(', ');
}

const clientCertificateAlerts = [
  ...['ALERT_CERTIFICATE_REQUIRED', 'ALERT_NO_CERTIFICATE', 'ALERT_BAD_CERTIFICATE', 'ALERT_UNKNOWN_CA'],
  ...['ALERT_UNSUPPORTED_CERTIFICATE', 'ALERT_CERTIFICATE_REVOKED', 'ALERT_CERTIFICATE_EXPIRED'],
  'ALERT_CERTIFICATE_UNKNOWN',
];

/** By the code of OpenSSL without `ERR_SSL_` and the version of TLS, which differ between versions of Node. */
const tlsCauses: readonly [names: readonly string[], reason: Text, cure: Cure][] = [
  [
    ['WRONG_VERSION_NUMBER', 'PACKET_LENGTH_TOO_LONG', 'DATA_LENGTH_TOO_LONG', 'BAD_RECORD_TYPE'],
    t`this address does not speak https`,
    check,
  ],
  [
    ['ALERT_PROTOCOL_VERSION', 'UNSUPPORTED_PROTOCOL', 'UNSAFE_LEGACY_RENEGOTIATION_DISABLED'],
    t`it supports only outdated versions of TLS`,
    () => t`Ask the operator of the server to turn on TLS 1.2 or newer`,
  ],
  [
    ['ALERT_HANDSHAKE_FAILURE', 'ALERT_INSUFFICIENT_SECURITY'],
    t`it has no encryption in common with this program, or requires a client certificate`,
    check,
  ],
  [
    clientCertificateAlerts,
    t`it requires a client certificate, which this program cannot send`,
    () => t`Ask the operator of the server for an address that requires no client certificate`,
  ],
  [['UNRECOGNIZED_NAME'], t`it does not know this host name`, check],
];

function causeOfTlsError(tlsCode: string): Cause {
  const name = tlsNameOf(tlsCode);
  const [, reason, cure] = tlsCauses.find(([names]) => names.includes(name)) ?? [
    [],
    t`the secure connection could not be set up (${tlsCode})`,
    check,
  ];
  return [reason, cure];
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
