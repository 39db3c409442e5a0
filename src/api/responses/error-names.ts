/** What the names in the bodies of errors mean, in the plain form that `plainName` returns. */

/** Texts for a person, best first. The last ones are headings: less specific, and read if an object has no other. */
export const textNames = [
  /^(?:err(?:or)?|exception|fault|default|status|result|ret|resp(?:onse)?|user|localized|long)?(?:message|msg|desc(?:ription)?|text)$|^(?:error|fault)?(?:detail|string)$|^(?:validationerrorstring|messagetext|err|mn|en)$/,
  /^(?:problem|issue|reason|hint|(?:error)?details|errors|diagnostics)$/,
  /^(?:title|summary|error|exception|fault|messages|cause|statustext)$/,
];

/** The place of a problem. */
export const fieldName =
  /^(?:instance|data|property|field|json)?(?:path|pointer)$|^(?:failed)?field(?:name)?s?$|^(?:param|parameter|property)(?:name)?$|^(?:loc|location|attr|attribute|target|key|propertyref|members|membernames)$/;
/** At the top level these may be the URL, a source location or a translation key. */
export const ambiguousFieldName = /^(?:path|location|key|fields|members)$/;

const problemCodeName = /code$|^(?:type|issue|reason|keyword|rule|tag|kind|constraint|error|value|input)$/;
export const requestIdName = /^(?:request|trace|debug|correlation)id$/;

type Role = 'error' | 'whole' | 'map' | 'envelope' | 'fact' | 'nothing';

const roles: readonly (readonly [Role, RegExp])[] = [
  // Source locations, links and echoes of the request: not for the user.
  [
    'nothing',
    /^[@$](?!\.|$)|stack|trace(?!id)|placeholder|^(?:documentation|(?:help|docs?|documentation|requestlog)?ur[il]|href|self|links?|help|docs?|moreinfo|file|line|template|input|schemapath|parentschema|parameters|arg(?:ument)?s|codes|context|ctx|(?:rejected|attempted|invalid)value|headers|debug|unionerrors|allowedmethods|exc|proto)$/,
  ],
  ['error', /^(?:error|exception|fault)$/],
  // About the whole order, or the value that contains it.
  [
    'whole',
    /^$|^\$$|^(?:base|(?:nonfield|form|general)errors|root|all|schema|constraints|(?:is|not)?(?:required|empty|blank)|invalid|pattern|m(?:in|ax)length)$/,
  ],
  // Its names are fields, and its texts problems.
  [
    'map',
    /(?:(?<!inner)errors?|issues|violations|failures|problems)$|^(?:errordetails|details|modelstate|(?:invalid)?(?:params|fields)|nested|properties|children|(?:validation|error)?messages)$/,
  ],
  [
    'envelope',
    /^(?:message|msg|detail|data|results?|response|responsestatus|errorresponse|payload|meta|extensions|extra|embedded|envelope|body|json|form|inner|innererror|validation|validationresult|errorlist|causes?|info|output|status|reasons)$/,
  ],
  // With a sentence, a field of the order.
  [
    'fact',
    /^(?:(?:request|trace|debug|correlation)?id|(?:error|status)?code|(?:object|class)?name|(?:api)?version|http(?:status)?|statustext|type|kind|rule|severity|level|category|domain|success|ok|path|instance|method|host|service|region|date|time|timestamp|datetime|reference|on|tag|expected|received|origin|source|locations?|value|keys?|keyword|object|resource|scope|target|pointer)$/,
  ],
];

/** Undefined for a field. */
export function roleOf(name: string): Role | undefined {
  return roles.find(([, names]) => names.test(name))?.[0];
}

const maxNameLength = 60;

/** `errorCode`, `error_code`, `Error-Code` and `ns:errorCode` → `errorcode`. */
export function plainName(name: string): string {
  const short = name.slice(0, maxNameLength).replace(/^[A-Za-z\d]+:/, '');
  return short.replace(/[_-]/g, '').toLowerCase();
}

export function isTextName(name: string): boolean {
  return textNames.some((names) => names.test(name));
}

/** Whether a name belongs to a problem itself. */
export function isOwnName(name: string): boolean {
  return fieldName.test(name) || problemCodeName.test(name) || isTextName(name);
}
