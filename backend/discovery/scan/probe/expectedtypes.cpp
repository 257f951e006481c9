// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/probe/expectedtypes.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostNamesakes = 10'000; // limit on sorts of names; types beyond it are read
constexpr int mostEnough = 1 << 20;

bool separates(char c)
{
    return c == ':' || c == '.' || c == '/' || c == '{' || c == '}';
}

// A hash of the common part of names that differ only in numbers and identifiers: the name's parts
// without those that contain a digit, and without the last, which names a thing. FNV-1a is fast
// enough for millions of names. If two sorts collide, their types are just read.
quint64 sortOf(const QByteArray& name)
{
    constexpr quint64 prime = 1'099'511'628'211U;
    quint64 sort = 14'695'981'039'346'656'037U;
    quint64 part = sort;
    bool hasDigit = false;
    for (const char c : name) {
        if (!separates(c)) {
            hasDigit = hasDigit || (c >= '0' && c <= '9');
            part = (part ^ quint8(c)) * prime;
            continue;
        }
        sort = ((hasDigit ? sort : part) ^ quint8(c)) * prime;
        part = sort;
        hasDigit = false;
    }
    return sort;
}

} // namespace

KeyType ExpectedTypes::of(const QByteArray& name) const
{
    const auto found = m_namesakes.constFind(sortOf(name));
    return found != m_namesakes.cend() && found->alike >= found->enough ? found->type
                                                                        : KeyType::None;
}

void ExpectedTypes::learn(const QByteArray& name, KeyType type)
{
    const quint64 sort = sortOf(name);
    auto found = m_namesakes.find(sort);
    if (found == m_namesakes.end()) {
        if (m_namesakes.size() >= mostNamesakes)
            return;
        found = m_namesakes.insert(sort, {});
    }
    found->alike = found->type == type ? std::min(found->alike + 1, mostEnough) : 1;
    found->type = type;
}

void ExpectedTypes::wasWrong(const QByteArray& name)
{
    const auto found = m_namesakes.find(sortOf(name));
    if (found == m_namesakes.end())
        return;
    found->alike = 0;
    found->enough = std::min(found->enough * 8, mostEnough);
}

} // namespace lk
