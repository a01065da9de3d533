"""The names of the package, each from its module; see ``ibidem/__init__.pyi``."""

from .bottom_s import BottomS as BottomS
from .clusters import gather_sketches as gather_sketches
from .densification import OnePermutation as OnePermutation
from .elements import fingerprints as fingerprints
from .estimates import Estimate as Estimate
from .estimates import chance_of_reaching as chance_of_reaching
from .estimates import chance_within as chance_within
from .estimates import values_for as values_for
from .formulas import Banding as Banding
from .formulas import Interval as Interval
from .formulas import Rabin as Rabin
from .formulas import collision_bound as collision_bound
from .formulas import distinct_tail as distinct_tail
from .formulas import expected_distinct as expected_distinct
from .formulas import pair_collision_bound as pair_collision_bound
from .formulas import resemblance_error as resemblance_error
from .formulas import standard_error_interval as standard_error_interval
from .mod_m import ModM as ModM
from .shingling import Shingling as Shingling
from .shingling import containment as containment
from .shingling import distance as distance
from .shingling import resemblance as resemblance
from .signatures import KMins as KMins
from .size_adaptive import SizeAdaptive as SizeAdaptive
from .sketches import Sketch as Sketch
