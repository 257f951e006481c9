// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/core/primitive.h"

namespace lk {

/// Which names one configuration judges otherwise than another. A value.
class ConfigChange
{
public:
    ConfigChange(const Config& before, const Config& after);

    /// By its name or one of its keys: what it is taken for is to be found out anew.
    bool concerns(const Primitive& primitive) const;

private:
    void add(const Declaration& declaration);
    bool matches(const QByteArray& name) const;

    QByteArrayList m_patterns;
};

} // namespace lk
