import type { conversionCalls } from '@neuroloom/contract/conversions'
import type { overlayCalls } from '@neuroloom/contract/reading/overlays'
import type { viewCalls } from '@neuroloom/contract/viewing'
import { anyone, signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import * as conversions from '../convert/convert.ts'
import * as overlays from './overlays/overlay.ts'
import { view, viewLinked } from './view.ts'

export const viewRows: Rows<
  keyof typeof viewCalls | keyof typeof overlayCalls | keyof typeof conversionCalls
> = {
  'files/view': { access: signedIn, run: view },
  // Whoever has the link: the pass is looked at.
  'files/viewLinked': { access: anyone, run: viewLinked },
  'files/overlays': { access: signedIn, run: overlays.list },
  'files/overlay': { access: signedIn, run: overlays.lay },
  'files/overlaysLinked': { access: anyone, run: overlays.listLinked },
  'files/overlayLinked': { access: anyone, run: overlays.layLinked },
  'files/convert': { access: signedIn, run: conversions.start },
  // Asked by pages while something is being converted.
  'files/conversions': { access: signedIn, run: conversions.list, keepsSession: false },
  'files/retryConversion': { access: signedIn, run: conversions.retry },
  'files/cancelConversion': { access: signedIn, run: conversions.cancel },
}
