import type { IncomingHttpHeaders } from 'node:http'

/** How large the body of a request is, as it announces itself; infinite where it comes in pieces and does not say. */
export const bodyBytes = ({ headers }: { headers: IncomingHttpHeaders }): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY
