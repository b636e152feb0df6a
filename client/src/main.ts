import { mount } from 'svelte'
import App from './App.svelte'
import './style.css'
import type { Page } from './wire'

const page = JSON.parse(document.getElementById('page')!.textContent!) as Page
mount(App, { target: document.getElementById('app')!, props: { page } })
