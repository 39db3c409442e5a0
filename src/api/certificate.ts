import type { PeerCertificate } from 'node:tls';

const reasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'an authority in its chain is signed by itself and not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the authority that signed it is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed it is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed it is not known here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
};

/** Why a certificate was not accepted and which one it was, in one line; `code` is what TLS calls the reason. */
export function describeCertificate(
  host: string,
  code: string,
  certificate: PeerCertificate | undefined,
): string {
  const why = `the certificate of ${host} was not accepted: ${reasons[code] ?? 'it could not be verified'} (${code})`;
  if (certificate?.subject === undefined) return why;
  const { subject, issuer, subjectaltname, valid_to: validTo } = certificate;
  const hosts = subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '');
  const facts = [
    `subject ${nameOf(subject)}`,
    `issuer ${nameOf(issuer)}`,
    ...(hosts === undefined ? [] : [`for ${hosts}`]),
    `valid until ${validTo}`,
  ];
  return `${why}; ${facts.join(', ')}`;
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  return [name?.CN ?? name?.O ?? 'unnamed'].flat().join(', ');
}
