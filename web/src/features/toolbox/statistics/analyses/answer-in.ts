import type { Outcome } from '../answer.ts'
import type { Settings } from '../settings.ts'
import type { Table } from '../table.ts'
import { accuracyIn } from './accuracy.ts'
import { blandAltmanIn, iccIn, kappaIn } from './agreement.ts'
import { compareTestsIn } from './compare-tests.ts'
import { meansIn } from './means.ts'
import { compareRocIn, rocIn } from './roc.ts'

/** What a table says to a question. */
export function answerIn(table: Table, settings: Settings): Outcome {
  switch (settings.analysis) {
    case 'accuracy':
      return accuracyIn(table, settings)
    case 'compareTests':
      return compareTestsIn(table, settings)
    case 'roc':
      return rocIn(table, settings)
    case 'compareRoc':
      return compareRocIn(table, settings)
    case 'kappa':
      return kappaIn(table, settings)
    case 'blandAltman':
      return blandAltmanIn(table, settings)
    case 'icc':
      return iccIn(table, settings)
    case 'means':
      return meansIn(table, settings)
    case 'sampleSize':
      return { problem: { key: 'chooseColumns' } }
  }
}
