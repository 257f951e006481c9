// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlock.h"
#include "widgets/controls/panels/detailframe.h"

class QLabel;
class QMenu;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace lk {

class FactGrid;
class FigureRow;
class InlineMessage;
class VoteModel;

/// A lock on several servers: whether there is a quorum, the vote of each server, the problems, and
/// the button that releases it on all of them.
class RedlockDetail final : public DetailFrame
{
    Q_OBJECT

public:
    explicit RedlockDetail(QWidget* parent = nullptr);

    /// Shows a lock of that report. whyNot: why it cannot be released; empty: it can be.
    void show(const RedlockState& state, const RedlockReport& report, const QString& whyNot);

signals:
    void releaseWanted(const QByteArray& owner);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildPage();
    QWidget* buildBar();
    void showFindings(const RedlockReport& report);
    void showButton(const QString& whyNot);
    void updateIcon();
    void fitTable();

    RedlockState m_state;
    QLabel* m_name;
    QLabel* m_icon;
    QLabel* m_word;
    QLabel* m_caption;
    FigureRow* m_figures;
    FactGrid* m_facts;
    QVBoxLayout* m_findings;
    std::vector<InlineMessage*> m_messages;
    VoteModel* m_votes;
    QTableView* m_table;
    QPushButton* m_release;
    QMenu* m_owners;                  ///< if there are several
    std::vector<QByteArray> m_listed; ///< in that menu
};

} // namespace lk
