// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QButtonGroup;
class QGridLayout;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace lk {

/// A set of rows that the user can choose to see alone.
struct FilterChip
{
    QString id;   ///< for the program
    QString text; ///< translated
    qint64 count = 0;
};

/// Above a table: a field that filters by name and a chip for each set of rows there is, with its
/// count within the text ("All 12", "full 2"). A chip keeps its place, also while it counts
/// nothing. Escape clears all of it.
class FilterBar final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterBar(const QString& placeholder, QWidget* parent = nullptr);

    QString text() const;
    QString chosen() const { return m_chosen; } ///< the chip's id; empty: all
    /// Sets the chips. New ones follow the existing ones, in this order.
    void setChips(qint64 total, const std::vector<FilterChip>& chips);
    /// Removes all chips, so that all rows are chosen. The text stays.
    void resetChips();
    void setText(const QString& text);
    /// Chooses a chip as if it was pressed; the chip may not exist yet. An empty id: all.
    void choose(const FilterChip& chip);
    bool isFiltering() const;
    void setTip(const QString& tip); ///< the field's tool tip: what the filter searches
    void focusField();
    void clear();
    /// A place for further controls at the right end.
    void addTrailing(QWidget* widget);

signals:
    void changed();
    void left(); ///< Escape was pressed with nothing to clear

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void placeChips();
    int breakChips(int room);
    void buildMenu();
    void addChip(const FilterChip& chip);
    void rebuildChips();
    bool learn(const FilterChip& chip);

    QGridLayout* m_layout;
    QWidget* m_chipRow; ///< beside the field, or below it in two lines
    QVBoxLayout* m_chipLines;
    std::vector<int> m_lineOf; ///< each chip
    QToolButton* m_menu;       ///< instead of the chips where two lines do not hold them
    QWidget* m_trailing = nullptr;
    QLineEdit* m_field;
    QButtonGroup* m_chips = nullptr;
    std::vector<FilterChip> m_known; ///< without their counts
    QString m_chosen;
};

} // namespace lk
