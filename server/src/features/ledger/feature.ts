import type { Feature } from '../../infra/feature.ts'
import { findFaults } from './service.ts'

export const ledger: Feature = {
  name: 'ledger',
  commands: {
    books: {
      words: '',
      does: 'says whether the books of money and points balance, and names what does not',
      run: async ({ db }) => {
        const faults = await findFaults(db)
        return faults.length === 0 ? 'The books balance.' : `The books do not balance: ${faults.join(', ')}.`
      },
    },
  },
}
