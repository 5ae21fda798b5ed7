package dev.besom.spring.app;

import dev.besom.spring.Guarded;
import dev.besom.spring.Guards;
import dev.besom.spring.TableGuard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A service with transactions, written as applications write theirs. */
@Service
public class Accounts {

    private final UserRepository users;
    private final TableGuard<String> guard;

    public Accounts(UserRepository users, Guards guards) {
        this.users = users;
        this.guard = guards.table("users-email", String.class);
    }

    /** Stores a user in a transaction of its own. */
    public User register(String email) {
        return guard.write(email, () -> users.save(new User(email)));
    }

    /** Stores users in one transaction, looks for them in it, and then fails if told so. */
    @Transactional
    public boolean registerTogether(List<String> emails, boolean fails) {
        boolean areFound = true;
        for (String email : emails) {
            guard.write(email, () -> users.save(new User(email)));
            areFound &= users.existsByEmail(email);
        }
        if (fails) {
            throw new IllegalStateException("after the writes");
        }
        return areFound;
    }

    /** Gives a user another address. */
    public void move(String from, String to) {
        guard.writeAll(List.of(from, to), () -> {
            User user = users.readByEmail(from).orElseThrow();
            user.setEmail(to);
            return users.save(user);
        });
    }

    public void delete(String email) {
        guard.write(email, () -> users.delete(users.readByEmail(email).orElseThrow()));
    }

    /** Guarded on the class itself; says whether it was called within a transaction. */
    @Guarded("users-email")
    @Transactional
    public @Nullable String sawTransaction(String email) {
        return String.valueOf(TransactionSynchronizationManager.isActualTransactionActive());
    }
}
