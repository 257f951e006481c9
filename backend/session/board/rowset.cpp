// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/rowset.h"

#include "backend/libraries/api/layout.h"
#include "backend/text/statewords.h"

namespace lk {

namespace {

constexpr auto stateMark = u'='; // a layout's id may be a number
constexpr auto layoutMark = u':';

} // namespace

size_t qHash(const RowSet& set, size_t seed)
{
    return qHashMulti(seed, set.state ? int(*set.state) : -1, set.layout);
}

RowSet rowSetOf(const State& state)
{
    if (state.kind() == Kind::Pattern)
        return {std::nullopt, state.primitive->id.layout};
    return {stateIdOf(state), {}};
}

QString rowSetTitle(const RowSet& set)
{
    if (set.state)
        return stateWord(*set.state);
    return set.layout.isEmpty() ? QString() : layoutTitle(set.layout);
}

QString rowSetId(const RowSet& set)
{
    if (set.state)
        return stateMark + QString::number(int(*set.state));
    return set.layout.isEmpty() ? QString() : layoutMark + QString::fromUtf8(set.layout);
}

RowSet rowSetFrom(const QString& id)
{
    if (id.startsWith(stateMark))
        return {StateId(QStringView(id).mid(1).toInt()), {}};
    return {std::nullopt, id.mid(1).toUtf8()};
}

} // namespace lk
