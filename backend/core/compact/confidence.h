// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// A number from 0 to 1 in two bytes, exact to a ten-thousandth: 0.85 stays 0.85.
class Confidence
{
public:
    constexpr Confidence() = default;
    constexpr Confidence(double value)
        : m_parts(quint16(value <= 0   ? 0
                          : value >= 1 ? whole
                                       : int(value * whole + 0.5)))
    {}
    constexpr operator double() const { return double(m_parts) / whole; }

private:
    static constexpr int whole = 10'000;
    quint16 m_parts = 0;
};

} // namespace lk
