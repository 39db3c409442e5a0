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
      const { reason, cure } = causeOfTlsError(tlsCode);
      return new ConnectFailure(reason, cure[peer]);
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

/** Whose address and operator a cure names. */
export type Peer = 'service' | 'proxy';

type Cure = Readonly<Record<Peer, Text>>;

interface Cause {
  reason: Text;
  cure: Cure;
}

const trustCure: Cure = {
  service: t`Check the base URL; if it is right, ask the operator of the service or your network administrator for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS`,
  proxy: t`Check the address of the proxy (HTTPS_PROXY); if it is right, ask the operator of the proxy or your network administrator for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS`,
};
const clockCure: Cure = {
  service: t`Check the date and the time of this computer; if they are right, tell the operator of the service`,
  proxy: t`Check the date and the time of this computer; if they are right, tell the operator of the proxy`,
};
const hostCure: Cure = {
  service: t`Check the host name in the base URL; if it is right, tell the operator of the service`,
  proxy: t`Check the host name in the address of the proxy (HTTPS_PROXY); if it is right, tell the operator of the proxy`,
};
const otherCure: Cure = {
  service: t`Check the base URL; if it is right, tell the operator of the service`,
  proxy: t`Check the address of the proxy (HTTPS_PROXY); if it is right, tell the operator of the proxy`,
};
const untrusted: Cause = { reason: t`the authority that signed it is not trusted here`, cure: trustCure };

const certificateCauses: Record<string, Cause> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: t`it is self-signed`, cure: trustCure },
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: t`a self-signed authority in its chain is not trusted here`,
    cure: trustCure,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: { reason: t`it has expired`, cure: clockCure },
  CERT_NOT_YET_VALID: { reason: t`it is not valid yet`, cure: clockCure },
  CERT_REVOKED: {
    reason: t`it was revoked`,
    cure: {
      service: t`Do not use this address until the operator of the service has replaced the certificate`,
      proxy: t`Do not use this address until the operator of the proxy has replaced the certificate`,
    },
  },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: t`it is for another host`, cure: hostCure },
};

/** `code`: of OpenSSL or Node. */
export function certificateFailure(
  host: string,
  code: string,
  certificate: PeerCertificate | undefined,
  peer: Peer,
): ConnectFailure {
  const { reason, cure } = certificateCauses[code] ?? {
    reason: t`it could not be verified`,
    cure: otherCure,
  };
  const why =
    certificate?.subject === undefined
      ? t`the certificate of ${host} was not accepted: ${reason} (${code})`
      : t`the certificate of ${host} was not accepted: ${reason} (${code}); ${describeCertificate(certificate, code)}`;
  return new ConnectFailure(why, cure[peer], true);
}

function describeCertificate(certificate: PeerCertificate, code: string): Text {
  const { subject, issuer, subjectaltname, valid_from: validFrom, valid_to: validTo } = certificate;
  const hosts = subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '');
  const [owner, authority] = [holderName(subject), holderName(issuer)];
  if (code === 'CERT_NOT_YET_VALID') {
    return hosts === undefined
      ? t`subject ${owner}, issuer ${authority}, valid from ${validFrom}`
      : t`subject ${owner}, issuer ${authority}, for ${hosts}, valid from ${validFrom}`;
  }
  return hosts === undefined
    ? t`subject ${owner}, issuer ${authority}, valid until ${validTo}`
    : t`subject ${owner}, issuer ${authority}, for ${hosts}, valid until ${validTo}`;
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
const tlsCauses: readonly (Cause & { names: readonly string[] })[] = [
  {
    names: ['WRONG_VERSION_NUMBER', 'PACKET_LENGTH_TOO_LONG', 'DATA_LENGTH_TOO_LONG', 'BAD_RECORD_TYPE'],
    reason: t`this address does not speak https`,
    cure: {
      service: t`Check the host name and the port in the base URL`,
      proxy: t`Check the host name and the port in the address of the proxy (HTTPS_PROXY)`,
    },
  },
  {
    names: ['ALERT_PROTOCOL_VERSION', 'UNSUPPORTED_PROTOCOL', 'UNSAFE_LEGACY_RENEGOTIATION_DISABLED'],
    reason: t`it supports only outdated versions of TLS`,
    cure: {
      service: t`Ask the operator of the service to turn on TLS 1.2 or newer`,
      proxy: t`Ask the operator of the proxy to turn on TLS 1.2 or newer`,
    },
  },
  {
    names: ['ALERT_HANDSHAKE_FAILURE', 'ALERT_INSUFFICIENT_SECURITY'],
    reason: t`it has no encryption in common with this program, or requires a client certificate`,
    cure: {
      service: t`Check the base URL; if it is right, ask the operator of the service`,
      proxy: t`Check the address of the proxy (HTTPS_PROXY); if it is right, ask the operator of the proxy`,
    },
  },
  {
    names: clientCertificateAlerts,
    reason: t`it requires a client certificate, which this program cannot send`,
    cure: {
      service: t`Ask the operator of the service for an address that requires no client certificate`,
      proxy: t`Ask the operator of the proxy for an address that requires no client certificate`,
    },
  },
  {
    names: ['UNRECOGNIZED_NAME'],
    reason: t`it does not know this host name`,
    cure: {
      service: t`Check the host name in the base URL`,
      proxy: t`Check the host name in the address of the proxy (HTTPS_PROXY)`,
    },
  },
];

function causeOfTlsError(tlsCode: string): Cause {
  const name = tlsNameOf(tlsCode);
  return (
    tlsCauses.find(({ names }) => names.includes(name)) ?? {
      reason: t`the secure connection could not be set up (${tlsCode})`,
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
