import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** A vehicle that is offered. A person who sells is not named. */
export const VehicleOffer = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  make: Text,
  model: Text,
  variant: Text,
  year: Count,
  first_registration: Text.describe('A month: 2012-05'),
  mileage: z.object({ value: Count, unit: z.enum(['km', 'mi']) }).nullable(),
  price: z.object({ amount: z.number().nullable(), currency: Text, text: Text }),
  condition: z.enum(['new', 'used', 'demonstration', 'pre_registered', 'employee', 'classic', 'antique']).nullable(),
  body: Text,
  fuel: Text,
  transmission: Text,
  power_kw: Count,
  power_hp: Count,
  doors: Count,
  seats: Count,
  color: Text,
  vin: Text,
  images: z.array(z.string()).readonly(),
  seller: z.object({
    type: z.enum(['dealer', 'private']).nullable(),
    name: Text.describe('Of a dealer'),
    rating: z.number().min(0).max(5).nullable(),
    location: Text,
  }),
  location: z.object({
    zip: Text,
    city: Text,
    country: Text,
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
  }),
  features: z.array(z.string()).readonly().nullable().describe('Null where only the page of the vehicle has them'),
  description_html: Text,
  description_text: Text,
  listed_at: Text,
  is_sponsored: z.boolean().nullable(),
});

export type VehicleOffer = z.output<typeof VehicleOffer>;
