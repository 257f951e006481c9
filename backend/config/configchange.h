// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/core/primitive.h"

namespace lk {

/// The names that two configurations classify differently. A value.
class ConfigChange
{
public:
    ConfigChange(const Config& before, const Config& after);

    /// True if the primitive has to be classified again, by its name or one of its keys.
    bool concerns(const Primitive& primitive) const;

private:
    void add(const Declaration& declaration);
    bool matches(const QByteArray& name) const;

    QByteArrayList m_patterns;
};

} // namespace lk
