import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../lib/i18n.ts'
import { cleanStale } from '../lib/session.ts'
import '../ui/theme.css'
import { App } from './app.tsx'

cleanStale()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element "root"')
const page = createRoot(root)
void startI18n().then(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
