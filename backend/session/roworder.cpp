// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/roworder.h"

#include "backend/core/names/nameorder.h"
#include "backend/layouts/layout.h"
#include "backend/text/column.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lk {

namespace {

constexpr size_t mostSpareTexts = 1000; // that no row has any more, before all are made anew

// Ordered as the numbers are.
quint64 orderedBits(double value)
{
    const auto bits = std::bit_cast<quint64>(value + 0.0); // one zero, not two
    return bits >> 63 ? ~bits : bits | (quint64(1) << 63);
}

quint64 lettersAfter(const QString& text, qsizetype common)
{
    quint64 letters = 0;
    for (qsizetype i = common; i < common + 4; ++i)
        letters = letters << 16 | (i < text.size() ? text[i].unicode() : 0);
    return letters;
}

quint64 worstFirst(const State& state)
{
    return ~(quint64(state.health) << 62 | orderedBits(state.urgency) >> 2);
}

const Column* columnOf(const RowOrder::By& by)
{
    const auto shown = columns(by.kind);
    return by.column >= 0 && by.column < int(shown.size()) ? &shown[size_t(by.column)] : nullptr;
}

} // namespace

QString RowOrder::textOf(const State& state) const
{
    const Column* column = columnOf(m_by);
    return column->style == ColumnStyle::Layout ? layoutTitle(state.primitive->id.layout)
                                                : column->text(state);
}

quint64 RowOrder::textNumber(const QString& text)
{
    const auto known = m_textNumbers.constFind(text);
    if (known != m_textNumbers.cend())
        return *known;
    m_texts.push_back(text);
    m_textNumbers.insert(text, m_texts.size() - 1);
    return m_texts.size() - 1;
}

void RowOrder::findCommon(std::span<const Handle> rows, const StateOf& stateOf)
{
    m_commonName.clear();
    m_commonText.clear();
    if (rows.empty() || m_mode == Mode::Number)
        return;
    if (isByName())
        m_commonName = stateOf(rows.front()).primitive->name();
    else
        m_commonText = textOf(stateOf(rows.front()));
    for (const Handle row : rows) {
        if (m_commonName.isEmpty() && m_commonText.isEmpty())
            return;
        if (isByName())
            shortenToCommon(m_commonName, stateOf(row).primitive->name());
        else
            shortenToCommon(m_commonText, textOf(stateOf(row)));
    }
}

bool RowOrder::fitsCommon(std::span<const Handle> rows, const StateOf& stateOf) const
{
    return std::all_of(rows.begin(), rows.end(), [&](Handle row) {
        if (isByName())
            return stateOf(row).primitive->name().startsWith(m_commonName);
        return m_commonText.isEmpty() || textOf(stateOf(row)).startsWith(m_commonText);
    });
}

std::vector<RowOrder::Key> RowOrder::keysOf(std::span<const Handle> rows, const StateOf& stateOf)
{
    // What is unknown comes last in both directions.
    const double last = m_by.descending ? -std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::infinity();
    const Column* column = columnOf(m_by);
    std::vector<Key> keys;
    keys.reserve(rows.size());
    for (const Handle row : rows) {
        const State& state = stateOf(row);
        ++m_looks;
        Key key{0, 0, row};
        if (m_mode == Mode::Worst) {
            key.major = worstFirst(state);
            key.minor = bytesAfter(state.primitive->name(), m_commonName.size());
        } else if (m_mode == Mode::Name) {
            key.major = bytesAfter(state.primitive->name(), m_commonName.size());
        } else if (m_mode == Mode::Number) {
            key.major = orderedBits(column->number(state).value_or(last));
        } else {
            const QString text = textOf(state);
            key.major = lettersAfter(text, m_commonText.size());
            key.minor = textNumber(text);
        }
        if (m_mode != Mode::Worst && m_by.descending)
            key.major = ~key.major;
        keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end(),
              [&](const Key& a, const Key& b) { return isBefore(a, b, stateOf); });
    return keys;
}

bool RowOrder::isBefore(const Key& a, const Key& b, const StateOf& stateOf) const
{
    if (a.major != b.major)
        return a.major < b.major;
    int order = 0;
    if (m_mode == Mode::Worst && a.minor != b.minor)
        return a.minor < b.minor;
    if (isByName())
        order = stateOf(a.handle).primitive->name().compare(stateOf(b.handle).primitive->name());
    else if (m_mode == Mode::Text && a.minor != b.minor)
        order = m_texts[size_t(a.minor)].compare(m_texts[size_t(b.minor)]);
    if (m_mode != Mode::Worst && m_by.descending)
        order = -order;
    return order != 0 ? order < 0 : a.handle < b.handle;
}

void RowOrder::reset(const By& by, std::span<const Handle> rows, const StateOf& stateOf)
{
    m_by = by;
    const Column* column = columnOf(by);
    if (!column)
        m_mode = Mode::Worst;
    else if (column->number)
        m_mode = Mode::Number;
    else // what is shown of a token's name is not the name
        m_mode =
            column->style == ColumnStyle::Name && by.kind != Kind::Token ? Mode::Name : Mode::Text;
    m_texts.clear();
    m_textNumbers.clear();
    findCommon(rows, stateOf);
    m_keys = keysOf(rows, stateOf);
}

void RowOrder::change(const std::vector<bool>& gone, std::span<const Handle> come,
                      const StateOf& stateOf)
{
    const auto isGone = [&](const Key& key) {
        return key.handle.index < gone.size() && gone[key.handle.index];
    };
    if (m_texts.size() > m_keys.size() + come.size() + mostSpareTexts ||
        !fitsCommon(come, stateOf)) {
        std::erase_if(m_keys, isGone);
        std::vector<Handle> all = rows();
        all.insert(all.end(), come.begin(), come.end());
        return reset(m_by, all, stateOf);
    }
    const std::vector<Key> added = keysOf(come, stateOf);
    m_spare.clear();
    m_spare.reserve(m_keys.size() + added.size());
    auto next = added.begin();
    for (const Key& key : m_keys) {
        if (isGone(key))
            continue;
        while (next != added.end() && isBefore(*next, key, stateOf))
            m_spare.push_back(*next++);
        m_spare.push_back(key);
    }
    m_spare.insert(m_spare.end(), next, added.end());
    m_keys.swap(m_spare);
}

std::vector<Handle> RowOrder::rows() const
{
    std::vector<Handle> rows(m_keys.size());
    std::transform(m_keys.begin(), m_keys.end(), rows.begin(),
                   [](const Key& key) { return key.handle; });
    return rows;
}

} // namespace lk
