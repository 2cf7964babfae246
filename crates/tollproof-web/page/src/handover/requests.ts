// The request that submits a draft, in the words of a developer: for curl, and for the libraries of the providers.

import { isObject, type Json } from '../draft/pointer';

/** A request in one language. */
export interface Sample {
  title: string;
  code: string;
}

/** How a provider's API takes a submission in one request. */
interface Call {
  url: string;
  /** The options of curl that say who asks. Keys are in variables of the environment, never in the text. */
  login: string;
  /** What must be run before. */
  before?: string;
  /** The body is a form, whose names are in PascalCase. */
  isForm?: boolean;
  python?: (values: Json) => string;
  node?: (values: Json) => string;
}

// As `schemas/PROVIDER/operations.yaml` has them; a test compares the two. Other providers take several requests.
export const CALLS: Record<string, Call> = {
  twilio: {
    url: 'https://messaging.twilio.com/v1/Tollfree/Verifications',
    login: '-u "$TWILIO_ACCOUNT_SID:$TWILIO_AUTH_TOKEN"',
    isForm: true,
    python: (values) =>
      `import os\nfrom twilio.rest import Client\n\nclient = Client(os.environ["TWILIO_ACCOUNT_SID"], os.environ["TWILIO_AUTH_TOKEN"])\nclient.messaging.v1.tollfree_verifications.create(\n${keywords(values)})`,
    node: (values) =>
      `import twilio from "twilio";\n\nconst client = twilio(process.env.TWILIO_ACCOUNT_SID, process.env.TWILIO_AUTH_TOKEN);\nawait client.messaging.v1.tollfreeVerifications.create(${json(renamed(values, camel))});`,
  },
  telnyx: {
    url: 'https://api.telnyx.com/v2/messaging_tollfree/verification/requests',
    login: '-H "Authorization: Bearer $TELNYX_API_KEY"',
    python: (values) =>
      `import os\nfrom telnyx import Telnyx\n\nclient = Telnyx(api_key=os.environ["TELNYX_API_KEY"], max_retries=0)\nclient.messaging_tollfree.verification.requests.create(\n${keywords(values)})`,
    node: (values) =>
      `import Telnyx from "telnyx";\n\nconst client = new Telnyx({ apiKey: process.env.TELNYX_API_KEY, maxRetries: 0 });\nawait client.messagingTollfree.verification.requests.create(${json(values)});`,
  },
  plivo: {
    url: 'https://api.plivo.com/v1/Account/$PLIVO_AUTH_ID/TollfreeVerification/',
    login: '-u "$PLIVO_AUTH_ID:$PLIVO_AUTH_TOKEN"',
  },
  bandwidth: {
    url: 'https://api.bandwidth.com/api/v2/accounts/$BW_ACCOUNT_ID/tollFreeVerification',
    login: '-H "Authorization: Bearer $BW_ACCESS_TOKEN"',
    before:
      'BW_ACCESS_TOKEN=$(curl -s -u "$BW_CLIENT_ID:$BW_CLIENT_SECRET" -d grant_type=client_credentials \\\n  https://api.bandwidth.com/api/v1/oauth2/token | jq -r .access_token)',
  },
};

/** The request for a draft. Empty if the provider takes several, or if its request is not known. */
export function samplesOf(provider: string, values: Json): Sample[] {
  const call = CALLS[provider];
  if (call === undefined || !isObject(values)) return [];
  return [
    { title: 'curl', code: curl(call, values) },
    ...(call.python ? [{ title: 'Python', code: call.python(values) }] : []),
    ...(call.node ? [{ title: 'Node', code: call.node(values) }] : []),
  ];
}

function curl({ url, login, before, isForm }: Call, values: Json): string {
  const body = isForm
    ? Object.entries(values as Record<string, Json>).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((it) => `--data-urlencode ${quoted(`${pascal(name)}=${typeof it === 'string' ? it : JSON.stringify(it)}`)}`),
      )
    : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(JSON.stringify(values, null, 2))}`];
  const request = [`curl -X POST "${url}"`, login, ...body].join(' \\\n  ');
  return before === undefined ? request : `${before}\n${request}`;
}

/** A text in single quotes, as shells take it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Arguments of a function in Python. */
function keywords(values: Json): string {
  const all = Object.entries(renamed(values, snake) as Record<string, Json>);
  return all.map(([name, value]) => `    ${name}=${python(value)},\n`).join('');
}

/** A literal of Python. Its strings may be written as those of JSON. */
function python(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (isObject(value)) return `{${Object.entries(value).map(([name, it]) => `${JSON.stringify(name)}: ${python(it)}`).join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

function json(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** The same values under other names. */
function renamed(value: Json, name: (text: string) => string): Json {
  if (Array.isArray(value)) return value.map((it) => renamed(it, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [name(key), renamed(it, name)]));
}

/** `BusinessStreetAddress2` and `business_street_address2` as `businessStreetAddress2`. */
function camel(name: string): string {
  const joined = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function pascal(name: string): string {
  const joined = camel(name);
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}

function snake(name: string): string {
  return camel(name).replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
}
