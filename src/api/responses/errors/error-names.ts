/** The names that services use in the bodies of errors, in the plain form that `plainName` returns. */

/** Best first. */
export const messageNames = namesIn(`
  message detail errormessage faultstring errordescription description defaultmessage msg errormsg text errortext
  errmsg err desc statusmessage resultmessage usermessage localizedmessage messagetext mn en problem issue reason details hint`);

/** Less specific texts, used if an object has no other. */
export const headingNames = namesIn('title summary error errors exception fault messages cause statustext');

export const fieldNames = namesIn(`
  instancepath datapath field fieldname pointer param parameter parametername path loc location property propertyname
  propertypath fieldpath jsonpath attr attribute target key failedfield fields membernames`);

/** At the top level these may be the URL, a source location or a translation key. */
export const ambiguousFieldNames: ReadonlySet<string> = new Set(namesIn('path location key fields'));

export const problemCodeNames = namesIn(
  'code errorcode type issue reason keyword rule tag kind constraint error',
);
export const valueNames = namesIn('value rejectedvalue attemptedvalue invalidvalue input');
export const requestIdNames = namesIn('requestid traceid debugid correlationid');

const namesByRole = {
  problem: 'error exception fault',
  map: `
    errors details fielderrors validationerrors errordetails modelstate params fields nested properties children
    messages validationmessages`,
  list: `
    message msg detail data result results response payload meta extensions embedded envelope body json form inner
    innererror issues violations failures fieldviolations propertyviolations parameterviolations constraintviolations
    problems validation validationresult validationfailures invalidparams invalidfields errormessages suberrors errorlist causes info output errorresponse
    responsestatus apierror cause status reasons`,
  whole: `
    base nonfielderrors root all schema formerrors constraints required empty isempty notempty blank notblank invalid
    pattern minlength maxlength`,
  /** Facts about the error; with a sentence, fields of the order. */
  fact: `
    id type code errorcode name kind rule severity level category domain statuscode httpstatus statustext success ok
    path instance method host service version apiversion region date time timestamp datetime reference on tag expected
    received origin source location locations value key keys keyword objectname class classname object resource scope
    target pointer requestid traceid debugid correlationid`,
  /** Source locations, links and echoes of the request: not for the user. */
  nothing: `
    stack stacktrace trace traces traceback backtrace file line template input url uri href links self help helpurl
    docurl docs documentation documentationurl moreinfo requestlogurl schemapath parentschema parameters arguments args
    codes context ctx rejectedvalue attemptedvalue invalidvalue placeholders formattedmessageplaceholdervalues headers
    unionerrors allowedmethods debug exc proto`,
};

type Role = keyof typeof namesByRole;

const roles = new Map(
  Object.entries(namesByRole).flatMap(([role, names]) => namesIn(names).map((name) => [name, role as Role])),
);

/** Undefined for a field. */
export function roleOf(name: string): Role | undefined {
  if (name === '' || name === '$') return 'whole';
  return /^[@$]/.test(name) && !name.startsWith('$.') ? 'nothing' : roles.get(name);
}

const maxNameLength = 60;

/** `errorCode`, `error_code`, `Error-Code` and `ns:errorCode` → `errorcode`. */
export function plainName(name: string): string {
  const short = name.slice(0, maxNameLength).replace(/^[A-Za-z\d]+:/, '');
  return short.replace(/[_-]/g, '').toLowerCase();
}

function namesIn(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
