import type { PanelName } from '@neuroloom/contract/toolbox/toolbox'
import type { ComponentType } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'

/** What opens inside the toolbox, by the name of its tool. */
export const toolPanels: Record<PanelName, ComponentType> = {
  statistics: lazyPart(async () => (await import('./statistics.tsx')).Statistics),
  dataset: lazyPart(async () => (await import('./dataset.tsx')).DatasetTool),
  split: lazyPart(async () => (await import('./split.tsx')).SplitMaker),
  augmentation: lazyPart(async () => (await import('./augmentation.tsx')).AugmentationTool),
  prepare: lazyPart(async () => (await import('./prepare.tsx')).Prepare),
  doctor: lazyPart(async () => (await import('./doctor.tsx')).DoctorTool),
  algebra: lazyPart(async () => (await import('./algebra.tsx')).AlgebraTool),
  converter: lazyPart(async () => (await import('./converter.tsx')).Converter),
  inspector: lazyPart(async () => (await import('./inspector.tsx')).InspectorTool),
  predictor: lazyPart(async () => (await import('./predictor.tsx')).Predictor),
}

/** A tool that a member made. */
export const OwnToolPage = lazyPart(async () => (await import('./own-tool.tsx')).OwnToolPage)
