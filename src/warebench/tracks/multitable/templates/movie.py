"""Movie: roles (characters) between the movies they belong to and the actors who play them.

A movie and an actor have several roles, so only quantities of the role itself are added up or averaged.
"""

from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
    Want,
)
from warebench.queries.template import Parameter, Template

FILM = Join(table="movie", alias="film", on=(("role.MovieID", "MovieID"),))
ACTOR = Join(table="actor", alias="actor", on=(("role.ActorID", "ActorID"),))

IN_RATED = Filter(column="film.MPAA Rating", op="=", parameter="mpaa")
NOT_GENRE = Filter(column="film.Genre", op="<>", parameter="genre")
OF_GENDER = Filter(column="actor.Gender", op="=", parameter="gender")
EARLY_CREDIT = Filter(column="role.creditOrder", op="<=", parameter="order")

MPAA = Parameter(name="mpaa", column="film.MPAA Rating")
GENRE = Parameter(name="genre", column="film.Genre")
GENDER = Parameter(name="gender", column="actor.Gender")
RUNTIME = Parameter(name="minutes", column="film.Runtime", kind="threshold")
RATING = Parameter(name="rating", column="film.Rating", kind="threshold")
CREDIT = Parameter(name="order", column="role.creditOrder", kind="threshold")

PAY = Measure(column="role.pay")
SCREENTIME = Measure(column="role.screentime")
CREDIT_ORDER = Measure(column="role.creditOrder")


def _roles(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="characters", alias="role", joins=joins, filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="movie",
        subcategory="EL",
        number=1,
        text=(
            "In which city (Birth City) was the actor born who plays the character {character} in the movie "
            "{movie}?"
        ),
        query=_roles(
            FILM,
            ACTOR,
            filters=(
                Filter(column="role.Character Name", op="=", parameter="character"),
                Filter(column="film.Title", op="=", parameter="movie"),
            ),
            want=Value("actor.Birth City"),
        ),
        parameters=(
            Parameter(name="character", column="role.Character Name"),
            Parameter(name="movie", column="film.Title"),
        ),
    ),
    Template(
        database="movie",
        subcategory="EL",
        number=2,
        text="In which movie (its Title) does the actor {actor} have the role with credit order {order}?",
        query=_roles(
            FILM,
            ACTOR,
            filters=(
                Filter(column="actor.Name", op="=", parameter="actor"),
                Filter(column="role.creditOrder", op="=", parameter="order"),
            ),
            want=Value("film.Title"),
        ),
        parameters=(
            Parameter(name="actor", column="actor.Name"),
            Parameter(name="order", column="role.creditOrder"),
        ),
    ),
    Template(
        database="movie",
        subcategory="TS",
        number=1,
        text=(
            "Considering only roles played by actors of the gender {gender} with a net worth (NetWorth) of "
            "at most {worth}, which movie genre (Genre) has the highest average screen time (screentime) per "
            "role?"
        ),
        query=_roles(
            FILM,
            ACTOR,
            filters=(OF_GENDER, Filter(column="actor.NetWorth", op="<=", parameter="worth")),
            want=Top("film.Genre", Mean(SCREENTIME)),
        ),
        parameters=(GENDER, Parameter(name="worth", column="actor.NetWorth", kind="threshold")),
    ),
    Template(
        database="movie",
        subcategory="TS",
        number=2,
        text=(
            "Considering only roles in movies with the MPAA rating {mpaa} and a runtime of at most {minutes} "
            "minutes, which actor (Name) receives the largest total pay (pay)?"
        ),
        query=_roles(
            FILM,
            ACTOR,
            filters=(IN_RATED, Filter(column="film.Runtime", op="<=", parameter="minutes")),
            want=Top("actor.Name", Total(PAY)),
        ),
        parameters=(MPAA, RUNTIME),
    ),
    Template(
        database="movie",
        subcategory="CNT",
        number=1,
        text=(
            "How many roles (rows of characters) with a screen time (screentime) of at least {minutes} "
            "minutes are played by actors of the gender {gender}?"
        ),
        query=_roles(
            ACTOR,
            filters=(Filter(column="role.screentime", op=">=", parameter="minutes"), OF_GENDER),
            want=Count(),
        ),
        parameters=(Parameter(name="minutes", column="role.screentime", kind="threshold"), GENDER),
        unit="roles",
    ),
    Template(
        database="movie",
        subcategory="CNT",
        number=2,
        text=(
            "How many different actors have a role in at least one movie that was released on or after {day} "
            "and has a rating (Rating) of at least {rating}?"
        ),
        query=_roles(
            FILM,
            filters=(
                Filter(column="film.Release Date", op=">=", parameter="day"),
                Filter(column="film.Rating", op=">=", parameter="rating"),
            ),
            want=Count("role.ActorID"),
        ),
        parameters=(Parameter(name="day", column="film.Release Date", kind="threshold"), RATING),
        unit="actors",
    ),
    Template(
        database="movie",
        subcategory="SUM",
        number=1,
        text=(
            "What is the total screen time in minutes (screentime) of the roles with a credit order of at "
            "most {order} in movies with a budget (Budget) of at least {budget}?"
        ),
        query=_roles(
            FILM,
            filters=(EARLY_CREDIT, Filter(column="film.Budget", op=">=", parameter="budget")),
            want=Total(SCREENTIME),
        ),
        parameters=(CREDIT, Parameter(name="budget", column="film.Budget", kind="threshold")),
        unit="minutes",
    ),
    Template(
        database="movie",
        subcategory="SUM",
        number=2,
        text=(
            "What is the total pay (pay) of the roles that actors born on or after {day} (Date of Birth) "
            "play in movies with the MPAA rating {mpaa}?"
        ),
        query=_roles(
            FILM,
            ACTOR,
            filters=(Filter(column="actor.Date of Birth", op=">=", parameter="day"), IN_RATED),
            want=Total(PAY),
        ),
        parameters=(Parameter(name="day", column="actor.Date of Birth", kind="threshold"), MPAA),
        unit="dollars",
    ),
    Template(
        database="movie",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average screen time in minutes (screentime) of the roles played by actors of the "
            "gender {gender} who are at least {height} inches tall?"
        ),
        query=_roles(
            ACTOR,
            filters=(OF_GENDER, Filter(column="actor.Height (Inches)", op=">=", parameter="height")),
            want=Mean(SCREENTIME),
        ),
        parameters=(GENDER, Parameter(name="height", column="actor.Height (Inches)", kind="threshold")),
        unit="minutes",
    ),
    Template(
        database="movie",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average pay (pay) of the roles in movies with a rating (Rating) of at least "
            "{rating} and any genre but {genre}?"
        ),
        query=_roles(
            FILM,
            filters=(Filter(column="film.Rating", op=">=", parameter="rating"), NOT_GENRE),
            want=Mean(PAY),
        ),
        parameters=(RATING, GENRE),
        unit="dollars",
    ),
    Template(
        database="movie",
        subcategory="CC",
        number=1,
        text=(
            "Considering only roles with a credit order of at most {order}, how much higher is the average "
            "pay (pay) of the roles in movies with the MPAA rating {a} than that of the roles in movies with "
            "the MPAA rating {b} (negative if it is lower)?"
        ),
        query=_roles(FILM, filters=(EARLY_CREDIT, IN_RATED), want=Mean(PAY)),
        parameters=(CREDIT, MPAA),
        contrast="mpaa",
        unit="dollars",
    ),
    Template(
        database="movie",
        subcategory="CC",
        number=2,
        text=(
            "In how many more different movies do actors born in {a} (Birth Country) have a role than actors "
            "born in {b} (negative if fewer)?"
        ),
        query=_roles(
            ACTOR,
            filters=(Filter(column="actor.Birth Country", op="=", parameter="country"),),
            want=Count("role.MovieID"),
        ),
        parameters=(Parameter(name="country", column="actor.Birth Country"),),
        contrast="country",
        unit="movies",
    ),
    Template(
        database="movie",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between pay (pay) and screen time (screentime) over the roles "
            "in movies of any genre but {genre} that are played by actors born in any country (Birth "
            "Country) but {country}?"
        ),
        query=_roles(
            FILM,
            ACTOR,
            filters=(NOT_GENRE, Filter(column="actor.Birth Country", op="<>", parameter="country")),
            want=Correlation(PAY, SCREENTIME),
        ),
        parameters=(GENRE, Parameter(name="country", column="actor.Birth Country")),
    ),
    Template(
        database="movie",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between credit order (creditOrder) and screen time (screentime) "
            "over the roles in movies with a runtime of at least {minutes} minutes?"
        ),
        query=_roles(
            FILM,
            filters=(Filter(column="film.Runtime", op=">=", parameter="minutes"),),
            want=Correlation(CREDIT_ORDER, SCREENTIME),
        ),
        parameters=(RUNTIME,),
    ),
)
