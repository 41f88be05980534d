/** What a broken page shows instead of itself; the frame around it stays usable. */
import { useEffect } from 'react'
import { useRevalidator, useRouteError } from 'react-router'
import { ErrorState } from './error-state.tsx'
import { Page } from './page.tsx'

export function PageBoundary() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  useEffect(() => console.error(error), [error])
  return (
    <Page>
      <ErrorState error={error} retry={() => void revalidate()} />
    </Page>
  )
}
