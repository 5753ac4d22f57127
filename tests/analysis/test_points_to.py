"""Points-to sets on a few lines of IR: which objects a pointer may lead to, and what others may know."""

from __future__ import annotations

from .small_ir import Analysed, analysed


def _escaped(found: Analysed) -> set[str]:
    return {str(item) for item in found.points_to.members(found.points_to.escaped)}


def test_address_arithmetic_stays_in_its_object() -> None:
    found = analysed("""define double @f(ptr %a, ptr %b, i64 %i, i1 %c) {
      %p = getelementptr double, ptr %a, i64 %i
      %q = getelementptr i8, ptr %p, i64 -8
      %s = select i1 %c, ptr %q, ptr %b
      %v = load double, ptr %s
      ret double %v
    }""")
    assert found.objects("q") == {"*a"}
    assert found.objects("s") == {"*a", "*b"}


def test_what_is_stored_is_what_is_loaded() -> None:
    found = analysed("""define double @f(ptr %a, ptr %b) {
      %slot = alloca ptr
      %other = alloca ptr
      store ptr %a, ptr %slot
      store ptr %b, ptr %other
      %p = load ptr, ptr %slot
      %v = load double, ptr %p
      ret double %v
    }""")
    assert found.objects("p") == {"*a"}
    assert not _escaped(found) & {"local variable slot", "local variable other"}


def test_an_object_is_one_place_whatever_the_offset() -> None:
    found = analysed("""define double @f(ptr %a, ptr %b) {
      %slots = alloca [2 x ptr]
      %second = getelementptr ptr, ptr %slots, i64 1
      store ptr %a, ptr %slots
      store ptr %b, ptr %second
      %p = load ptr, ptr %slots
      %v = load double, ptr %p
      ret double %v
    }""")
    assert found.objects("p") == {"*a", "*b"}


def test_what_is_loaded_from_a_parameter_is_not_known() -> None:
    found = analysed("""define double @f(ptr %a) {
      %mine = alloca double
      %p = load ptr, ptr %a
      %v = load double, ptr %p
      store double %v, ptr %mine
      %w = load double, ptr %mine
      ret double %w
    }""")
    assert "local variable mine" not in found.objects("p")
    assert found.objects("p") & {"memory reachable from a", "outside"}


def test_an_address_that_is_stored_outside_has_escaped() -> None:
    found = analysed("""define double @f(ptr %a, ptr %b) {
      %mine = alloca double
      %kept = alloca double
      store double 1.0, ptr %kept
      store ptr %mine, ptr %a
      %p = load ptr, ptr %b
      %v = load double, ptr %p
      ret double %v
    }""")
    assert "local variable mine" in _escaped(found)
    assert "local variable kept" not in _escaped(found)
    assert "local variable mine" in found.objects("p")  # b may be a


def test_a_pointer_in_an_integer_is_followed() -> None:
    found = analysed("""define double @f(ptr %a) {
      %slot = alloca ptr
      store ptr %a, ptr %slot
      %bits = load i64, ptr %slot
      %p = inttoptr i64 %bits to ptr
      %v = load double, ptr %p
      ret double %v
    }""")
    assert "*a" in found.objects("p")


def test_calls_of_one_allocator_are_objects_of_their_own() -> None:
    found = analysed("""define double @f(double %x) {
      %p = call ptr @malloc(i64 8)
      %q = call ptr @malloc(i64 8)
      store double %x, ptr %p
      store double 1.0, ptr %q
      %v = load double, ptr %p
      call void @free(ptr %p)
      call void @free(ptr %q)
      ret double %v
    }""")
    points_to = found.points_to
    assert points_to.mask(found["p"]) & points_to.mask(found["q"]) == 0
    assert all(item.local for item in points_to.base_objects(found["p"]))


def test_an_address_in_the_bits_of_a_number_has_escaped() -> None:
    found = analysed("""define double @f(ptr %a) {
      %mine = alloca double
      %bits = ptrtoint ptr %mine to i64
      %number = bitcast i64 %bits to double
      store double %number, ptr %a
      ret double 0.0
    }""")
    assert "local variable mine" in _escaped(found)


def test_an_address_of_which_nothing_is_known_leads_wherever_others_know() -> None:
    found = analysed("""define double @f(ptr %a, double %number) {
      %mine = alloca double
      %kept = alloca double
      %slot = alloca double
      store ptr %mine, ptr %a
      store double %number, ptr %kept
      store double %number, ptr %slot
      %p = load ptr, ptr %slot
      %v = load double, ptr %p
      ret double %v
    }""")
    assert {"outside", "local variable mine"} <= found.objects("p")
    assert "local variable kept" not in found.objects("p")
