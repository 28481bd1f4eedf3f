"""Nouns that mean the same in a question about data, one line each: singular, plural = singular, plural.

General English only. A word that is also a common verb, that has a second sense beside it, or whose synonym
is wider or narrower stays out: a paraphrase must have the same answer.
"""

from typing import NamedTuple

LINES = """
first name, first names = given name, given names
last name, last names = family name, family names
zip code, zip codes = postal code, postal codes
airline, airlines = air carrier, air carriers
author, authors = writer, writers
bike, bikes = bicycle, bicycles
building, buildings = edifice, edifices
car, cars = automobile, automobiles
child, children = kid, kids
company, companies = firm, firms
concert, concerts = live show, live shows
country, countries = nation, nations
customer, customers = client, clients
dog, dogs = canine, canines
email, emails = electronic mail, electronic mails
employee, employees = staff member, staff members
friend, friends = pal, pals
id, ids = identifier, identifiers
journalist, journalists = news reporter, news reporters
kid, kids = child, children
lawyer, lawyers = attorney, attorneys
location, locations = site, sites
maker, makers = manufacturer, manufacturers
manufacturer, manufacturers = maker, makers
medication, medications = medicine, medicines
movie, movies = film, films
owner, owners = proprietor, proprietors
person, people = individual, individuals
phone, phones = telephone, telephones
photo, photos = photograph, photographs
physician, physicians = doctor, doctors
pilot, pilots = aviator, aviators
population, populations = number of inhabitants, numbers of inhabitants
publisher, publishers = publishing house, publishing houses
restaurant, restaurants = eatery, eateries
sex, sexes = gender, genders
ship, ships = vessel, vessels
shop, shops = store, stores
singer, singers = vocalist, vocalists
stadium, stadiums = arena, arenas
student, students = learner, learners
supplier, suppliers = vendor, vendors
teacher, teachers = instructor, instructors
team, teams = squad, squads
theme, themes = topic, topics
tournament, tournaments = tourney, tourneys
trip, trips = journey, journeys
type, types = kind, kinds
vendor, vendors = supplier, suppliers
visitor, visitors = guest, guests
winner, winners = victor, victors
writer, writers = author, authors
"""


class Synonym(NamedTuple):
    """What a form becomes."""

    other: str
    base: str
    """Its own singular."""


def read_synonyms(lines: str = LINES) -> dict[str, Synonym]:
    """Return what each form becomes, forms in small letters, longer ones first."""
    found: dict[str, Synonym] = {}
    for line in lines.strip().splitlines():
        left, right = ([form.strip() for form in side.split(",")] for side in line.split("="))
        for form, other in zip(left, right, strict=True):
            found[form] = Synonym(other=other, base=left[0])
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[0]), pair[0])))
