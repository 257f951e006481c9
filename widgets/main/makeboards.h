// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace lk {

class Board;

/// All boards of the window, in their order: the first is in front at first, and the first nine
/// have Ctrl+1 to Ctrl+9 and Ctrl+0. Owned by the caller.
std::vector<Board*> makeBoards();

} // namespace lk
