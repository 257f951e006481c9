// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/summary.h"

#include <QWidget>

class QAction;
class QButtonGroup;
class QGridLayout;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace lk {

/// Above a table: a field that filters by name and a chip for each word there is, with its count
/// within the text ("All 12", "full 2"). A chip keeps its place, also while it counts nothing.
/// Escape clears all of it.
class FilterBar final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterBar(const QString& placeholder, QWidget* parent = nullptr);

    QString text() const;
    QString word() const { return m_word; } ///< of the chosen chip; empty: all
    /// A word that is new has its place after those that are there, in this order.
    void setChips(qint64 total, const std::vector<WordCount>& words);
    /// As before anything was counted: no words, and all are chosen. The text stays.
    void resetChips();
    void setText(const QString& text);
    /// As if its chip was pressed; it may have no chip yet. Empty: all.
    void chooseWord(const QString& word);
    bool isFiltering() const;
    void setTip(const QString& tip); ///< of the field: what it looks at
    void focusField();
    void clear();
    /// A place for further controls at the right end.
    void addTrailing(QWidget* widget);

signals:
    void changed();
    void left(); ///< Escape where there is nothing to clear

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void updateIcon();
    void placeChips();
    int breakChips(int room);
    void buildMenu();
    void addChip(const QString& word);
    void rebuildChips();

    QGridLayout* m_layout;
    QWidget* m_chipRow; ///< beside the field, or below it in two lines
    QVBoxLayout* m_chipLines;
    std::vector<int> m_lineOf; ///< each chip
    QToolButton* m_menu;       ///< instead of the chips where two lines do not hold them
    QWidget* m_trailing = nullptr;
    QLineEdit* m_field;
    QAction* m_search;
    QButtonGroup* m_chips = nullptr;
    QStringList m_words;
    QString m_word;
};

} // namespace lk
