// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"

namespace lk {

/// A limiter that is the value of one string. read() gets the first bytes of the value, and PTTL.
class ValueLimiter : public PlannedLayout
{
public:
    Kind kind() const final { return Kind::Limiter; }
    bool wants(KeyType type) const final { return type == KeyType::String; }
    QByteArray mainRole() const final { return m_role; }
    KeyType mainType() const final { return KeyType::String; }
    ActionList actions() const final
    {
        return {&actions::checkLimiter(), &actions::clearLimiter()};
    }

protected:
    /// longest: how many bytes of the value are read.
    ValueLimiter(QByteArray role, int longest)
        : m_role(std::move(role))
        , m_longest(longest)
    {}

    /// The claim of a key whose value proves the layout.
    Claim claimOf(const QByteArray& key) const { return {{id(), key}, {{m_role, key}}, 0.97}; }

    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const final
    {
        const QByteArray key = primitive.key(m_role.constData());
        return {{"GETRANGE", key, "0", QByteArray::number(m_longest - 1)}, probecommands::ttl(key)};
    }

private:
    const QByteArray m_role;
    const int m_longest;
};

} // namespace lk
