// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/roworder.h"

#include "backend/core/names/nameorder.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/columns/column.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace lk {

namespace {

constexpr size_t mostSpareTexts = 1000; // texts without a row before all are built anew
constexpr size_t fewAlike = 32;         // names that are compared directly
constexpr int deepest = 64;
constexpr size_t share = 50; // of the names: fewer are inserted, more are sorted with all

// Returns bits that are ordered like the numbers.
quint64 orderedBits(double value)
{
    const auto bits = std::bit_cast<quint64>(value + 0.0); // turns -0 into 0
    return bits >> 63 ? ~bits : bits | (quint64(1) << 63);
}

quint64 lettersAfter(const QString& text, qsizetype common)
{
    quint64 letters = 0;
    for (qsizetype i = common; i < common + 4; ++i)
        letters = letters << 16 | (i < text.size() ? text[i].unicode() : 0);
    return letters;
}

quint64 worstFirst(StateRank rank)
{
    return ~(quint64(rank.health) << 62 | orderedBits(rank.urgency) >> 2);
}

const Column* columnOf(const RowOrder::By& by)
{
    const auto shown = columns(by.kind);
    return by.column >= 0 && by.column < int(shown.size()) ? &shown[size_t(by.column)] : nullptr;
}

const QByteArray& nameOf(Handle row, const RowStates& states)
{
    return states.primitive(row).name();
}

bool isFirstByName(Handle a, Handle b, const RowStates& states)
{
    const int order = nameOf(a, states).compare(nameOf(b, states));
    return order != 0 ? order < 0 : a < b;
}

// Sorts by letters: reads each name once per group of equal beginnings, instead of once per
// comparison.
void sortByName(std::span<Handle> rows, const RowStates& states, int depth = 0)
{
    const auto isFirst = [&](Handle a, Handle b) { return isFirstByName(a, b, states); };
    if (rows.size() <= fewAlike || depth > deepest) {
        std::sort(rows.begin(), rows.end(), isFirst);
        return;
    }
    QByteArray common = nameOf(rows.front(), states);
    for (const Handle row : rows) {
        const QByteArray& name = nameOf(row, states);
        if (!name.startsWith(common))
            shortenToCommon(common, name);
    }
    std::vector<std::pair<quint64, Handle>> next;
    next.reserve(rows.size());
    for (const Handle row : rows)
        next.emplace_back(bytesAfter(nameOf(row, states), common.size()), row);
    std::sort(next.begin(), next.end());
    std::transform(next.begin(), next.end(), rows.begin(),
                   [](const auto& one) { return one.second; });
    for (size_t from = 0; from < next.size();) {
        size_t to = from + 1;
        while (to < next.size() && next[to].first == next[from].first)
            ++to;
        // The names did not differ here: they end, or continue with zeros.
        if (to - from == rows.size())
            std::sort(rows.begin(), rows.end(), isFirst);
        else if (to - from > 1)
            sortByName(rows.subspan(from, to - from), states, depth + 1);
        from = to;
    }
}

// Merges sorted items into sorted ones. From the last one on, each item moves the ones behind it to
// their new places, once.
template<typename Item, typename IsBefore>
void putInto(std::vector<Item>& items, const std::vector<Item>& added, const IsBefore& isBefore)
{
    size_t end = items.size();
    items.resize(end + added.size());
    for (size_t left = added.size(); left > 0; --left) {
        const auto stay = items.begin() + ptrdiff_t(end);
        const auto at = std::upper_bound(items.begin(), stay, added[left - 1], isBefore);
        end = size_t(at - items.begin());
        std::move_backward(at, stay, stay + ptrdiff_t(left));
        items[end + left - 1] = added[left - 1];
    }
}

} // namespace

QString RowOrder::textOf(Handle row, const RowStates& states)
{
    const Column* column = columnOf(m_by);
    if (qstrcmp(column->id, "layout") != 0)
        return column->text(*states.state(row));
    const QByteArray& layout = states.primitive(row).id.layout;
    if (m_lastTitle.isNull() || layout != m_lastLayout) {
        m_lastLayout = layout;
        m_lastTitle = column->style == ColumnStyle::Layout ? layoutTitle(layout)
                                                           : column->text(*states.state(row));
    }
    return m_lastTitle;
}

bool RowOrder::isTied(const State& a, const State& b) const
{
    const Column* column = columnOf(m_by);
    switch (m_mode) {
    case Mode::Name:
        return true;
    case Mode::Number:
        return column->number(a) == column->number(b);
    case Mode::Text:
        return column->style == ColumnStyle::Layout
                   ? a.primitive->id.layout == b.primitive->id.layout
                   : column->text(a) == column->text(b);
    case Mode::Worst:
        break;
    }
    return worstFirst({a.health, a.urgency}) == worstFirst({b.health, b.urgency});
}

quint32 RowOrder::textNumber(const QString& text)
{
    if (!m_texts.empty() && m_texts.back() == text)
        return quint32(m_texts.size() - 1);
    const auto known = m_textNumbers.constFind(text);
    if (known != m_textNumbers.cend())
        return *known;
    m_texts.push_back(text);
    m_textNumbers.insert(text, quint32(m_texts.size() - 1));
    return quint32(m_texts.size() - 1);
}

void RowOrder::note(Handle row, Kind kind, StateRank rank)
{
    if (m_noted.size() <= row.index) {
        m_noted.resize(size_t(row.index) + 1);
        m_reused.resize(m_noted.size());
    }
    Noted& its = m_noted[row.index];
    its.worst = worstFirst(rank);
    if (its.generation == row.generation)
        return;
    its.generation = row.generation;
    m_reused[row.index] = row.generation != 0;
    its.rank = none;
    m_names[size_t(kind)].added.push_back(row);
}

void RowOrder::forget(Handle row, Kind kind)
{
    if (!isNoted(row))
        return;
    m_noted[row.index] = {};
    m_reused[row.index] = true;
    m_names[size_t(kind)].lost = true;
}

void RowOrder::orderNames(Kind kind, const RowStates& states)
{
    Names& names = m_names[size_t(kind)];
    if (names.added.empty() && !names.lost)
        return;
    names.lost = false;
    std::erase_if(names.order,
                  [&](Handle row) { return !isNoted(row) || m_noted[row.index].rank == none; });
    std::vector<Handle> added = std::exchange(names.added, {});
    std::sort(added.begin(), added.end());
    added.erase(std::unique(added.begin(), added.end()), added.end());
    std::erase_if(added, [&](Handle row) { return !isNoted(row); });
    if (added.size() * share > names.order.size()) {
        names.order.insert(names.order.end(), added.begin(), added.end());
        sortByName(names.order, states);
    } else {
        sortByName(added, states);
        putInto(names.order, added,
                [&](Handle a, Handle b) { return isFirstByName(a, b, states); });
    }
    for (size_t i = 0; i < names.order.size(); ++i)
        m_noted[names.order[i].index].rank = quint32(i);
}

std::vector<RowOrder::Key> RowOrder::keysOf(std::span<const Handle> rows, const RowStates& states)
{
    // Unknown values come last in both directions.
    const double last = m_by.descending ? -std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::infinity();
    const quint64 turned = m_by.descending ? ~quint64(0) : 0;
    const Column* column = columnOf(m_by);
    std::vector<Key> keys;
    keys.reserve(rows.size());
    for (const Handle row : rows) {
        ++m_looks;
        Key key{0, 0, row.index};
        if (m_mode == Mode::Worst)
            key.major = m_noted[row.index].worst;
        else if (m_mode == Mode::Number)
            key.major = orderedBits(column->number(*states.state(row)).value_or(last)) ^ turned;
        else if (m_mode == Mode::Text)
            key.minor = textNumber(textOf(row, states));
        keys.push_back(key);
    }
    return keys;
}

std::vector<RowOrder::Key> RowOrder::inOrderOfNames(std::span<const Handle> rows) const
{
    std::vector<bool> wanted(m_noted.size());
    for (const Handle row : rows)
        wanted[row.index] = true;
    std::vector<Key> keys;
    keys.reserve(rows.size());
    for (const Handle row : m_names[size_t(m_by.kind)].order) {
        if (wanted[row.index])
            keys.push_back({0, 0, row.index});
    }
    if (m_by.descending)
        std::reverse(keys.begin(), keys.end());
    return keys;
}

// Most rows share a few texts: sorts these, and the rows by their places.
void RowOrder::sortByText(std::vector<Key>& keys) const
{
    QString common = m_texts.empty() ? QString() : m_texts.front();
    for (const QString& text : m_texts)
        shortenToCommon(common, text);
    std::vector<std::pair<quint64, quint32>> order; // a text's letters and number
    order.reserve(m_texts.size());
    for (const QString& text : m_texts)
        order.emplace_back(lettersAfter(text, common.size()), quint32(order.size()));
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first
                                  : m_texts[size_t(a.second)] < m_texts[size_t(b.second)];
    });
    if (m_by.descending)
        std::reverse(order.begin(), order.end());
    std::vector<quint64> places(order.size());
    for (size_t i = 0; i < order.size(); ++i)
        places[size_t(order[i].second)] = i;
    for (Key& key : keys)
        key.major = places[size_t(key.minor)];
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        return a.major != b.major ? a.major < b.major : a.place < b.place;
    });
    for (Key& key : keys)
        key.major = 0; // a new text may belong between any two
}

bool RowOrder::isBefore(const Key& a, const Key& b, const RowStates& states) const
{
    if (a.major != b.major)
        return a.major < b.major;
    if (m_mode == Mode::Worst)
        return isFirstByName(rowOf(a), rowOf(b), states);
    if (m_mode == Mode::Name)
        return m_by.descending ? isFirstByName(rowOf(b), rowOf(a), states)
                               : isFirstByName(rowOf(a), rowOf(b), states);
    if (m_mode == Mode::Text && a.minor != b.minor) {
        const int order = m_texts[size_t(a.minor)].compare(m_texts[size_t(b.minor)]);
        return m_by.descending ? order > 0 : order < 0;
    }
    return a.place < b.place;
}

void RowOrder::reset(const By& by, std::span<const Handle> rows, const RowStates& states)
{
    m_by = by;
    const Column* column = columnOf(by);
    if (!column)
        m_mode = Mode::Worst;
    else if (column->number)
        m_mode = Mode::Number;
    else // a token shows something else than its name
        m_mode =
            column->style == ColumnStyle::Name && by.kind != Kind::Token ? Mode::Name : Mode::Text;
    m_texts.clear();
    m_textNumbers.clear();
    m_lastTitle = QString();
    for (const Handle row : rows) {
        if (!isNoted(row))
            note(row, states.primitive(row).kind, states.rank(row));
    }
    if (m_mode == Mode::Worst || m_mode == Mode::Name)
        orderNames(by.kind, states);
    if (m_mode == Mode::Name) {
        m_looks += qint64(rows.size());
        m_keys = inOrderOfNames(rows);
        return;
    }
    m_keys = keysOf(rows, states);
    if (m_mode == Mode::Text)
        return sortByText(m_keys);
    if (m_mode == Mode::Worst) {
        for (Key& key : m_keys)
            key.minor = m_noted[key.place].rank;
    }
    std::sort(m_keys.begin(), m_keys.end(), [](const Key& a, const Key& b) {
        if (a.major != b.major)
            return a.major < b.major;
        return a.minor != b.minor ? a.minor < b.minor : a.place < b.place;
    });
}

void RowOrder::change(const std::vector<bool>& gone, std::span<const Handle> come,
                      const RowStates& states)
{
    std::erase_if(m_keys,
                  [&](const Key& key) { return key.place < gone.size() && gone[key.place]; });
    for (const Handle row : come)
        note(row, states.primitive(row).kind, states.rank(row));
    if (m_texts.size() > m_keys.size() + come.size() + mostSpareTexts) {
        std::vector<Handle> all = rows();
        all.insert(all.end(), come.begin(), come.end());
        return reset(m_by, all, states);
    }
    const auto isFirst = [&](const Key& a, const Key& b) { return isBefore(a, b, states); };
    std::vector<Key> added = keysOf(come, states);
    std::sort(added.begin(), added.end(), isFirst);
    putInto(m_keys, added, isFirst);
}

std::vector<Handle> RowOrder::rows() const
{
    std::vector<Handle> rows(m_keys.size());
    std::transform(m_keys.begin(), m_keys.end(), rows.begin(),
                   [this](const Key& key) { return rowOf(key); });
    return rows;
}

} // namespace lk
