// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/statechange.h"

#include "backend/core/clock.h"
#include "backend/core/statefields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lk {

namespace {

class Comparison
{
public:
    Comparison(const State& a, const State& b)
        : m_apartMs(b.asOfMs - a.asOfMs)
    {}

    template<typename T> bool same(const T& a, const T& b) const
    {
        if constexpr (HasFields<T>)
            return sameFields(a, b);
        else if constexpr (IsList<T>)
            return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                              [this](const auto& x, const auto& y) { return this->same(x, y); });
        else if constexpr (std::floating_point<T>)
            return a == b || (std::isnan(a) && std::isnan(b));
        else
            return a == b;
    }

private:
    template<typename S> bool sameFields(const S& a, const S& b) const
    {
        bool all = true;
        eachField<S>([&]<typename F>(F) {
            if constexpr (F::field.is(Is::Compared | Is::Left))
                all = all && sameEnd(a.*F::field.member, b.*F::field.member);
            else if constexpr (F::field.is(Is::Compared))
                all = all && same(a.*F::field.member, b.*F::field.member);
        });
        return all;
    }
    bool sameEnd(std::optional<qint64> leftOfA, std::optional<qint64> leftOfB) const
    {
        if (!leftOfA || !leftOfB)
            return leftOfA.has_value() == leftOfB.has_value();
        return std::abs(m_apartMs + *leftOfB - *leftOfA) <= expiryToleranceMs;
    }

    qint64 m_apartMs;
};

} // namespace

bool isSameContent(const State& a, const State& b)
{
    const Comparison by(a, b);
    return by.same(a, b) && a.body.index() == b.body.index() && a.body.visit([&](const auto& body) {
        return by.same(body, b.body.get<std::decay_t<decltype(body)>>());
    });
}

} // namespace lk
