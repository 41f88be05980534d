import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { calls } from '@neuroloom/contract/calls'
import { errors } from '@neuroloom/contract/errors'
import type { Route } from '@neuroloom/contract/route'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { productVersion } from '../../infra/version.ts'

const DOCS = '/AI/api/docs'
const DESCRIPTION = '/AI/api/openapi.json'

/** The description of all calls and a page to browse it. Both are made when first asked for. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  let text: string | undefined
  app.get(DESCRIPTION, (_request, reply) => {
    text ??= JSON.stringify(describe())
    return reply.type('application/json').send(text)
  })
  const assets = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  await app.register(fastifyStatic, {
    root: assets,
    prefix: `${DOCS}/`,
    serve: true,
    decorateReply: false,
    index: false,
  })
  app.get(DOCS, (_request, reply) => reply.redirect(`${DOCS}/`))
  app.get(`${DOCS}/`, (_request, reply) => reply.type('text/html').send(page))
  app.get(`${DOCS}/start.js`, (_request, reply) => reply.type('text/javascript').send(script))
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Neuroloom API</title>
    <link rel="stylesheet" href="swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`
const script = `SwaggerUIBundle({ url: '${DESCRIPTION}', dom_id: '#docs', deepLinking: true })
`

/** OpenAPI 3.1 from the contract's route objects, the same that check requests and answers. */
function describe(): object {
  const paths = Object.entries(calls).map(([path, route]) => [
    `/AI/api/${path}`,
    { post: operation(path, route) },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Neuroloom',
      version: productVersion,
      description:
        'Every call is a POST with a JSON or form body and answers `{ code, message, data }`; 10200 is success. ' +
        'Signed-in calls carry the headers `token` and `userId`.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // Where this description was read, whatever name or proxy leads there.
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token' },
        userId: { type: 'apiKey', in: 'header', name: 'userId' },
      },
    },
    security: [{ token: [], userId: [] }],
  }
}

function operation(path: string, { summary, request, response, errors: names, spread }: Route): object {
  const body = schemaOf(request, 'input')
  const data = schemaOf(response, 'output')
  const known = names.map((name) => `\`${name}\` (${errors[name].code})`)
  return {
    operationId: path.replaceAll('/', '_'),
    tags: [path.split('/')[0]],
    summary,
    description: known.length > 0 ? `May answer ${known.join(', ')}.` : '',
    requestBody: {
      content: {
        'application/json': { schema: body },
        'application/x-www-form-urlencoded': { schema: body },
      },
    },
    responses: {
      200: {
        description: spread ? 'The envelope; the data also at its top level' : 'The envelope',
        content: { 'application/json': { schema: envelope(data) } },
      },
    },
  }
}

const envelope = (data: object): object => ({
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data },
})

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
