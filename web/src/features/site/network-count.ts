import { builtInNetworks } from '@neuroloom/contract/built-in-networks'

/** How many networks come with the product. Apart from the other facts: the front page needs no more of them. */
export const networkCount = () => ({
  networkCount: String(new Set(Object.values(builtInNetworks).flat()).size),
})
