// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakekeys.h"

#include <QtTest>

namespace lk::test {

/// Keys as a library writes them for its locks, and what is read of one lock among them.
class LibraryLocks
{
protected:
    using Phase = LockState::Phase;
    using Known = std::optional<qint64>;

    QMap<QByteArray, Primitive> all() { return m_keys.discover(); }
    /// The state of the primitive with that layout and name; a problem if there is none.
    LockState lockOf(const QByteArray& layout, const QByteArray& name)
    {
        const auto found = all();
        const auto it = found.find(layout + ' ' + name);
        if (it == found.end())
            qFatal("not found: %s", (layout + ' ' + name).constData());
        m_primitive = *it;
        const Result<State> state = m_keys.read(m_primitive, Depth::Detail);
        if (!state || !state->as<LockState>())
            qFatal("not a lock: %s", name.constData());
        m_state = *state;
        return *state->as<LockState>();
    }
    QString fact(const char* label) const
    {
        for (const Fact& f : m_state.facts) {
            if (f.label == QLatin1String(label))
                return f.value;
        }
        return {};
    }

    FakeKeys m_keys;
    Primitive m_primitive;
    State m_state;
};

} // namespace lk::test
