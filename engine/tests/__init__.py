"""Tests of the engine on CPU with data made on the spot; under a minute together, every seed fixed."""
