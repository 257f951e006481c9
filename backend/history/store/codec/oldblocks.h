// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/store/codec/blockcodec.h"

namespace lk {

// As decodeBlock(), of blocks as they were before schema 7: state after state, point after point.

bool decodeStates(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                  qint64 primitive);
bool decodePoints(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                  qint64 primitive, qint64 metric);

} // namespace lk
