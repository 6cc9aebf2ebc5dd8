import type { ComponentType } from 'preact';
import type { ViewProps } from './router.ts';

/** A view of the console. Its code is loaded when it is first opened. */
export type ViewRoute = {
  /** `:name` is a parameter that is passed to the view. */
  readonly path: string;
  readonly title: string;
  /** The letter that opens the view after `g`. */
  readonly key?: string;
  /** The name in the navigation; absent for views that are linked from others only. */
  readonly menu?: string;
  /** Set if the navigation shows the view to operators only. */
  readonly isForOperators?: true;
  /** Set if the view needs no session. */
  readonly isOpen?: true;
  readonly load: () => Promise<ComponentType<ViewProps>>;
};

/** The sign-in view, which replaces any view that needs a session. */
export const SIGN_IN: ViewRoute = {
  path: '/sign-in',
  title: 'Sign in',
  isOpen: true,
  load: async () => (await import('#console/views/sign-in.ts')).SignIn,
};

/** All views, in the order of the navigation. */
export const ROUTES: readonly ViewRoute[] = [
  {
    path: '/',
    title: 'Overview',
    menu: 'Overview',
    key: 'o',
    load: async () => (await import('#console/views/overview.ts')).Overview,
  },
  {
    path: '/playground',
    title: 'Playground',
    menu: 'Playground',
    key: 'p',
    load: async () => (await import('#console/views/playground/playground.ts')).Playground,
  },
  {
    path: '/playground/:operation',
    title: 'Playground',
    load: async () => (await import('#console/views/playground/operation-view.ts')).OperationView,
  },
  {
    path: '/explain',
    title: 'Explain',
    menu: 'Explain',
    key: 'e',
    load: async () => (await import('#console/views/explain/explain.ts')).Explain,
  },
  {
    path: '/jobs',
    title: 'Jobs',
    menu: 'Jobs',
    key: 'j',
    load: async () => (await import('#console/views/jobs/jobs.ts')).JobList,
  },
  {
    path: '/jobs/:id',
    title: 'Job',
    load: async () => (await import('#console/views/jobs/job.ts')).JobDetail,
  },
  {
    path: '/monitors',
    title: 'Monitors',
    menu: 'Monitors',
    key: 'm',
    load: async () => (await import('#console/views/monitors/monitors.ts')).MonitorList,
  },
  {
    path: '/monitors/new',
    title: 'New monitor',
    load: async () => (await import('#console/views/monitors/new-monitor.ts')).MonitorWizard,
  },
  {
    path: '/monitors/:id',
    title: 'Monitor',
    load: async () => (await import('#console/views/monitors/monitor.ts')).MonitorDetail,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    menu: 'Webhooks',
    key: 'w',
    load: async () => (await import('#console/views/webhooks/webhooks.ts')).WebhookList,
  },
  {
    path: '/webhooks/:id',
    title: 'Delivery',
    load: async () => (await import('#console/views/webhooks/delivery.ts')).DeliveryView,
  },
  {
    path: '/usage',
    title: 'Usage',
    menu: 'Usage',
    key: 'u',
    load: async () => (await import('#console/views/usage/usage.ts')).UsageView,
  },
  {
    path: '/operator',
    title: 'Operator',
    menu: 'Operator',
    key: 'a',
    isForOperators: true,
    load: async () => (await import('#console/views/operator/operator.ts')).OperatorView,
  },
  SIGN_IN,
  {
    path: '/welcome',
    title: 'Welcome',
    isOpen: true,
    load: async () => (await import('#console/views/welcome.ts')).Welcome,
  },
];
