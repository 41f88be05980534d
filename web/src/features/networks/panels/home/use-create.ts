import type { Document } from '@neuroloom/contract/network/document/document'
import type { Library } from '@neuroloom/contract/network/library'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAction } from '../../../../lib/query.ts'
import { loadLibrary } from '../../library.ts'
import { textFor } from './new-network.ts'

/** Saves a new network and opens it. */
export function useCreate() {
  const navigate = useNavigate()
  const [isReading, setIsReading] = useState(false)
  const create = useAction('networks/create', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ id }) => void navigate(`/dripe?id=${encodeURIComponent(id)}`),
  })
  return {
    isBusy: isReading || create.isPending,
    fromText: (name: string, text: string) => create.mutate({ name, text }),
    /** `make` is given the library, which is fetched when it is first needed. */
    fromDocument: async (name: string, make: (library: Library) => Document | undefined) => {
      setIsReading(true)
      try {
        const library = await loadLibrary()
        const document = make(library)
        if (document !== undefined) create.mutate({ name, text: textFor(document, library) })
      } finally {
        setIsReading(false)
      }
    },
  }
}
