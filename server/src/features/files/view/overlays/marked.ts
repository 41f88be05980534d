import type { Overlay, OverlayCandidate, OverlayLabel } from '@neuroloom/contract/reading/overlays'
import type { ViewNote, ViewReason } from '@neuroloom/contract/viewing'
import type { Context } from '../../../../infra/context.ts'

type Size = readonly [number, number, number]
export type LabelFile = { path: string; sha256: string; sizeBytes: number }
export type Marked = {
  marks: NonNullable<Overlay['marks']>
  labels: OverlayLabel[]
  notes: ViewNote[]
}
export type MarkedOrNot = Marked | { refused: ViewReason }

/** What the file says of the image at that path; names of its classes may stand in one of the tables. */
export type AskedFile = {
  /** A member or a link: works beside the server are fair by it. */
  askerId: string
  image: { path: string; size: Size }
  /** Images of the same name elsewhere: lists may mean those. */
  others: readonly string[]
  file: LabelFile
  tables: readonly LabelFile[]
}

/** An image by the bytes of its files. */
export type AskedSet = { userId: string; sha256s: readonly string[] }

/** Who reads labels that are no images, and who keeps some that members drew. */
export type LabelsOver = {
  inFile(ctx: Context, asked: AskedFile): Promise<MarkedOrNot>
  candidates(ctx: Context, asked: AskedSet): Promise<OverlayCandidate[]>
  /** Null where there is no such reading of this image, or none for this member. */
  find(
    ctx: Context,
    asked: AskedSet & { id: string; size: Size },
  ): Promise<{ name: string; marked: MarkedOrNot } | null>
}
declare module '../../../../infra/feature.ts' {
  interface Questions {
    labelsOver: LabelsOver
  }
}
