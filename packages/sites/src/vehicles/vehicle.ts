import { z } from 'zod';
import { vehicles } from './site.ts';
import { VehicleInput, vehicleIdOf } from './vehicle-input.ts';
import { readVehiclePage } from './vehicle-page.ts';
import { VehicleOffer } from './vehicle-record.ts';

export const vehicle = vehicles({
  path: '/vehicle',
  summary: 'A vehicle that is offered',
  input: VehicleInput,
  record: z.object({ vehicle: VehicleOffer }),
  anyOf: ['id', 'url'],
  expected: ['vehicle.price.amount', 'vehicle.mileage', 'vehicle.first_registration', 'vehicle.images', 'vehicle.fuel'],
  canary: { id: '117b7cf9-f7e8-449c-bfdd-cfd449484f99' },
  request: (input, site) => ({ origin: 'web', path: `/offers/${vehicleIdOf(input, site)}` }),
  parse: (page, input, site) => readVehiclePage(page, vehicleIdOf(input, site)),
});
